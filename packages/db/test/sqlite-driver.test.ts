import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/engines.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))

/** Opens a file in a program whose driver throws this when it is used, on a runtime that calls itself so. */
async function open(message: string, code: string | undefined, runtime: string): Promise<unknown> {
  await using folder = await temporaryFolder()
  const modules = join(folder.path, 'node_modules')
  mkdirSync(join(modules, '@portico'), { recursive: true })
  mkdirSync(join(modules, 'better-sqlite3'))
  // A copy looks for its driver beside itself.
  for (const it of ['package.json', 'dist'])
    cpSync(join(packages, 'db', it), join(modules, '@portico/db', it), { recursive: true })
  symlinkSync(join(packages, 'schema'), join(modules, '@portico/schema'), 'junction')
  writeFileSync(
    join(modules, 'better-sqlite3/index.js'),
    `module.exports = function () { throw Object.assign(new TypeError(${JSON.stringify(message)}), ${JSON.stringify({ code })}) }`,
  )
  const program = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, [${JSON.stringify(runtime)}]: '1' } })
    const { openDatabase } = await import('@portico/db')
    const { sqlite } = await import('@portico/db/sqlite')
    const error = await openDatabase(sqlite({ file: 'a.db' })).then(() => undefined, (it) => it)
    console.log(JSON.stringify([error?.code, error?.message]))`
  const file = folder.file('open.mjs')
  writeFileSync(file, program)
  return JSON.parse(
    execFileSync(process.execPath, [pathToFileURL(file).pathname], { encoding: 'utf8', cwd: folder.path }),
  )
}

describe('a driver that cannot be loaded', () => {
  const onBun =
    'better-sqlite3 does not run on Bun: npm install libsql, and pass sqlite({ handle: new Database(file) })'
  it.each([
    ['on Bun', "'better-sqlite3' is not yet supported in Bun.", 'ERR_DLOPEN_FAILED', 'bun', onBun],
    ['on Deno', 'Cannot load native addon at x.node', undefined, 'deno', onBun.replace('Bun', 'Deno')],
    [
      'built for another Node',
      'The module was compiled against a different Node.js version',
      'ERR_DLOPEN_FAILED',
      'node',
      'better-sqlite3 is not built for this version of Node: npm rebuild better-sqlite3',
    ],
  ])('%s: DRIVER_MISSING, with advice', async (_, message, code, runtime, advice) => {
    expect(await open(message, code, runtime)).toEqual(['DRIVER_MISSING', advice])
  })

  it('is not reported as a file that cannot be opened', async () => {
    const message = 'Cannot open database because the directory does not exist'
    expect(await open(message, undefined, 'node')).toEqual(['UNAVAILABLE', `cannot open a.db: ${message}`])
  })
})
