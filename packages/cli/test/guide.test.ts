import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

it('the guide to sync runs as written', { timeout: 120_000 }, () => {
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

it('the guide to a first app ends in an app that compiles, passes its test, syncs and describes itself', {
  timeout: 300_000,
}, () => {
  const folder = makeFolder({})
  expect(portico(folder, 'init', 'notes').code).toBe(0)
  const app = join(folder, 'notes')
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'), 'junction')
  expect(portico(app, 'sync').code).toBe(0)
  const db = new BetterSqlite(join(app, 'data/app.db'))
  db.exec(`insert into notes (title, done, "createdAt") values ('Milk', 0, 1)`)
  db.close()
  const page = readFileSync(join(root, 'docs/guide/first-app.md'), 'utf8')
  for (const [, file = '', text = ''] of page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(app, file), text)
  expect(portico(app, 'format', '--check').code).toBe(0)
  expect(portico(app, 'generate')).toMatchObject({ code: 0, err: '' })

  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
  const stopped = run('--import', '@oxc-node/core/register', 'src/main.ts')
  expect(stopped.stderr).toMatch(
    /^The app cannot start: its database is not ready \(SYNC_REFUSED\):\n.*column `ownerId` is required/,
  )
  expect(stopped.status).toBe(1)
  rmSync(join(app, 'data'), { recursive: true })
  expect(run(join(root, 'node_modules/typescript/bin/tsc')).stdout).toBe('')
  expect(run('--import', '@oxc-node/core/register', '--test', 'test/app.test.ts').stdout).toMatch(/^# pass 1$/m)

  const { findings } = JSON.parse(portico(app, 'doctor', '--json').out)
  const differs = { code: 'SYNC', level: 'warning', message: expect.stringContaining('create table auth_users') }
  expect(findings).toContainEqual(expect.objectContaining(differs))
  const synced = portico(app, 'sync')
  expect(synced).toMatchObject({ code: 0, err: '' })
  expect(synced.out).toContain('create table notes')
  expect(synced.out).toContain('create table auth_users')
  expect(portico(app, 'sync', '--check').code).toBe(0)
  expect(Object.keys(JSON.parse(portico(app, 'spec').out).paths)).toContain('/folders/query')
})
