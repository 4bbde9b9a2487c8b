import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from '@portico/schema'
import BetterSqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder, portico } from './support/cli.ts'

/** Runs one command of the guide, and gives what it prints. */
function runCommand(folder: string, command: string): string {
  const [, sql] = /^sqlite3 app\.db "(.*)"$/.exec(command) ?? []
  if (sql === undefined) {
    const words = [...command.replace(/^npx portico /, '').matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, one, other]) => one ?? other!,
    )
    const { out, err } = portico(folder, ...words)
    return out + err
  }
  const db = new BetterSqlite(join(folder, 'app.db'))
  try {
    const statement = db.prepare(sql)
    if (!statement.reader) {
      statement.run()
      return ''
    }
    return (statement.raw().all() as unknown[][]).map((row) => `${row.join('|')}\n`).join('')
  } finally {
    db.close()
  }
}

it('the guide to sync runs as it stands', { timeout: 120_000 }, () => {
  const path = join(root, 'docs/guide/sync.md')
  const page = readFileSync(path, 'utf8')
  const folder = makeFolder({ 'package.json': '{ "type": "module" }' })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const shown = page.replaceAll(
    /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm,
    (block, language: string, file: string | undefined, text: string) => {
      if (file !== undefined) {
        if (language === 'portico') expect(format(text).text).toBe(text)
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), text)
        return block
      }
      const commands = text.split('\n').filter((line) => line.startsWith('$ '))
      const lines = commands.map((line) => `${line}\n${runCommand(folder, line.slice(2))}`)
      return `\`\`\`${language}\n${lines.join('')}\`\`\``
    },
  )
  if (process.env['PORTICO_RENEW_GUIDE']) writeFileSync(path, shown)
  expect(shown).toBe(page)
})
