import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { compile } from '@portico/schema'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { checkNode } from '../dist/doctor/check-machine.js'
import { checkCodes } from '../dist/doctor/finding.js'
import { portico, User } from './support/cli.ts'

interface Finding {
  readonly code: string
  readonly level: string
  readonly message: string
  readonly fix?: string
}

const table = `@db.table 'notes'\nexport interface Note {\n  @meta.id\n  id: number\n}\n`
const config = (more = '') => `import { sqlite } from '@portico/db/sqlite'
export default { main: 'main.ts', database: () => sqlite({ file: import.meta.dirname + '/app.db' }), ${more} }
`
const controller = `import { Controller, Get } from '@portico/http'
@Controller('/hello')
export class Hello {
  @Get()
  greet(): string { return 'hello' }
}
`

/** A project in which nothing is wrong, but for what these files make so. */
function makeProject(files: Readonly<Record<string, string>> = {}): User {
  const user = new User({
    'package.json': '{ "type": "module", "dependencies": { "@portico/db": "0.1.0" } }',
    'portico.config.mjs': config(),
    'notes.portico': table,
    'main.ts': '',
    'tsconfig.json': '{}',
    ...files,
  })
  symlinkSync(join(root, 'node_modules'), join(user.folder, 'node_modules'), 'junction')
  portico(user.folder, 'generate', 'notes.portico')
  return user
}

async function examine(user: User): Promise<{ code: number | null; wrong: Finding[]; all: Finding[] }> {
  const { code, out } = await user.run('doctor', '--json')
  const all = (JSON.parse(out) as { findings: Finding[] }).findings
  return { code, all, wrong: all.filter((it) => it.level !== 'ok' && it.code !== 'SYNC') }
}

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
  })
}

describe('portico doctor', () => {
  it('reports no problems for a good setup and lists its checks', async () => {
    const server = await listen()
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const user = makeProject({ 'portico.config.mjs': config(`server: 'http://127.0.0.1:${port}'`) })
    const before = await examine(user)
    expect(before.all.find((it) => it.code === 'SYNC')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^the database differs from the schema:\n {2}additive +create table notes/),
      fix: expect.stringContaining('portico sync'),
    })
    expect(before.code).toBe(0)
    expect((await user.run('doctor')).out).toMatch(/No problems found, 1 warning\.\n$/)
    await syncDatabase(user.folder)
    const notes = join(user.folder, 'notes.portico')
    writeFileSync(notes, table.replace('id: number', 'id: number\n\n  title: string'))
    portico(user.folder, 'generate')
    portico(user.folder, 'sync')
    writeFileSync(notes, table)
    portico(user.folder, 'generate')
    expect((await examine(user)).all.find((it) => it.code === 'SYNC')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining("npx portico sync --allow 'drop notes.title'"),
    })
    portico(user.folder, 'sync', '--allow', 'drop notes.title')
    const { code, out } = await user.run('doctor')
    expect(out).toMatch(/No problems found\.\n$/)
    expect(code).toBe(0)
    for (const known of Object.keys(checkCodes)) expect(out).toMatch(new RegExp(`^\\w+ +${known} `, 'm'))
  }, 60_000)

  it('reports a missing or broken configuration', async () => {
    const user = new User()
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'CONFIG', fix: expect.stringContaining('portico init') },
    ])
    writeFileSync(join(user.folder, 'portico.config.mjs'), `throw new Error('no luck')`)
    expect((await examine(user)).wrong).toMatchObject([{ code: 'CONFIG', message: expect.stringContaining('no luck') }])
  }, 60_000)

  it('reports a schema with errors and a missing one', async () => {
    const user = makeProject()
    writeFileSync(join(user.folder, 'notes.portico'), `${table}export interface Other {\n  a: Nope\n}\n`)
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'SCHEMA', message: 'notes.portico:7:6 unknown type `Nope`' },
    ])
    writeFileSync(join(user.folder, 'portico.config.mjs'), config(`schema: 'tables'`))
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'SCHEMA', message: 'schema path tables does not exist' },
    ])
  }, 60_000)

  it('reports modules that are missing, out of date or left over', async () => {
    const user = makeProject()
    writeFileSync(join(user.folder, 'notes.portico'), table.replace('id: number', 'id: string'))
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'MODULES', message: 'notes.portico.ts is missing or out of date', fix: 'run `portico generate`' },
    ])
    writeFileSync(join(user.folder, 'other.portico'), table.replace('notes', 'others').replace('Note', 'Other'))
    rmSync(join(user.folder, 'notes.portico'))
    const [found] = (await examine(user)).wrong
    expect(found?.message).toBe(
      'other.portico.ts is missing or out of date; notes.portico.ts is left over (its schema file no longer exists)',
    )
  }, 60_000)

  it('accepts modules that import each other as .ts', async () => {
    const user = makeProject({
      'part.portico': 'export interface Part {\n  a: string\n}\n',
      'whole.portico': `import { Part } from './part'\n\nexport interface Whole {\n  part: Part\n}\n`,
    })
    portico(user.folder, 'generate', '--import-extension', 'ts')
    expect((await examine(user)).wrong).toEqual([])
  }, 60_000)

  it('reports a missing program', async () => {
    const user = makeProject({ 'portico.config.mjs': config(`app: 'app.ts'`) })
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'PROGRAM', message: 'app is app.ts, which does not exist' },
    ])
  }, 60_000)

  it('reports compiler settings that decorators need', async () => {
    const user = makeProject({
      'hello.ts': controller,
      'base.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    })
    writeFileSync(join(user.folder, 'tsconfig.json'), '{ "extends": "./base.json" /* and no more */ }')
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DECORATORS', message: 'hello.ts uses decorators, but tsconfig.json lacks emitDecoratorMetadata' },
    ])
    rmSync(join(user.folder, 'tsconfig.json'))
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DECORATORS', message: expect.stringContaining('no tsconfig') },
    ])
  }, 60_000)

  it('reports a database that cannot be opened', async () => {
    const user = makeProject({ 'portico.config.mjs': config().replace('/app.db', '/none/app.db') })
    expect((await examine(user)).wrong).toMatchObject([
      {
        code: 'DATABASE',
        message: expect.stringContaining('cannot be reached: cannot open '),
        fix: expect.stringContaining('its folder exists'),
      },
    ])
    writeFileSync(join(user.folder, 'portico.config.mjs'), config())
    writeFileSync(join(user.folder, 'app.db'), 'not a database')
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DATABASE', message: expect.stringContaining('damaged'), fix: expect.stringContaining('another file') },
    ])
  }, 60_000)

  it('reports a driver that is not installed or not built for this Node version', async () => {
    const user = makeProject()
    const modules = join(user.folder, 'node_modules')
    rmSync(modules)
    mkdirSync(join(modules, '@portico'), { recursive: true })
    // A copy looks for its driver beside itself.
    const copy = (from: string, to: string, parts: readonly string[]): void => {
      for (const it of ['package.json', ...parts])
        cpSync(join(root, from, it), join(modules, to, it), { recursive: true })
    }
    const link = (from: string, to: string): void => symlinkSync(join(root, from), join(modules, to), 'junction')
    copy('packages/db', '@portico/db', ['dist'])
    link('packages/schema', '@portico/schema')
    const problems = async () => (await examine(user)).wrong.map(({ code, message }) => [code, message])
    const missing = 'SQLite needs the package better-sqlite3: npm install better-sqlite3'
    expect(await problems()).toEqual([['DRIVER', missing]])

    copy('node_modules/better-sqlite3', 'better-sqlite3', ['lib'])
    for (const it of ['bindings', 'file-uri-to-path']) link(`node_modules/${it}`, it)
    const unbuilt = 'better-sqlite3 is not built for this version of Node: npm rebuild better-sqlite3'
    expect(await problems()).toEqual([['DRIVER', unbuilt]])
    const build = join(modules, 'better-sqlite3/build')
    mkdirSync(build)
    writeFileSync(join(build, 'better_sqlite3.node'), 'for another machine')
    expect(await problems()).toEqual([['DRIVER', unbuilt]])
  }, 60_000)

  it('reports packages that are missing or in different versions', async () => {
    const user = makeProject()
    const place = (part: string, version: string, modules = 'node_modules') => {
      const folder = join(user.folder, modules, '@portico', part)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `@portico/${part}`, version }))
    }
    rmSync(join(user.folder, 'node_modules'))
    rmSync(join(user.folder, 'portico.config.mjs'))
    expect((await examine(user)).wrong).toMatchObject([{}, { code: 'PACKAGES', message: 'not installed: @portico/db' }])
    place('db', '0.1.0')
    place('schema', '0.0.9', 'node_modules/@portico/db/node_modules')
    expect((await examine(user)).wrong).toMatchObject([
      {},
      {
        code: 'PACKAGES',
        message: expect.stringMatching(/different versions: @portico\/db 0\.1\.0 in .*; @portico\/schema 0\.0\.9 in /),
        fix: 'run `npm install @portico/db@latest @portico/schema@latest`',
      },
    ])
  }, 60_000)

  it('warns about a port that is in use, without failing', async () => {
    const server = await listen()
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const user = makeProject({ 'portico.config.mjs': config(`server: 'http://127.0.0.1:${port}'`) })
    await syncDatabase(user.folder)
    const { code, wrong } = await examine(user)
    expect(wrong).toMatchObject([{ code: 'PORT', level: 'warning', message: `port ${port} is in use` }])
    expect(code).toBe(0)
  }, 60_000)

  it.each(['abc', '70000', '1.5'])('warns about an invalid PORT: %s', async (port) => {
    const user = makeProject({ 'portico.config.mjs': config(`server: 'http://127.0.0.1:3000'`) })
    user.env['PORT'] = port
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'PORT', level: 'warning', message: `PORT is ${port}, which is not a port number` },
    ])
  })

  it('suggests checking that the database is running only if nothing responded', async () => {
    const refusing = (message: string) =>
      `export default { database: { async open() { throw Object.assign(new Error('${message}'), { code: 'UNAVAILABLE' }) } } }`
    const missing = 'the database does not accept the connection: database "notes" does not exist'
    const user = makeProject({ 'portico.config.mjs': refusing(missing) })
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DATABASE', message: missing, fix: expect.stringContaining('create what is missing') },
    ])
    writeFileSync(join(user.folder, 'portico.config.mjs'), refusing('cannot reach PostgreSQL at localhost:5432'))
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DATABASE', fix: expect.stringContaining('it is running') },
    ])
  }, 60_000)

  it('does not wait for a database that does not respond', async () => {
    const silent = 'export default { database: { open: () => new Promise(() => setInterval(() => {}, 1000)) } }'
    const user = makeProject({ 'portico.config.mjs': silent })
    expect((await examine(user)).wrong).toMatchObject([
      { code: 'DATABASE', message: 'the database cannot be reached: no response within 10 s' },
    ])
  }, 60_000)

  it.skipIf(process.platform === 'win32')(
    'reports tokens that others can read',
    async () => {
      const user = makeProject()
      mkdirSync(join(user.home, 'portico'), { mode: 0o700 })
      const file = join(user.home, 'portico', 'x.token.json')
      writeFileSync(file, '{}')
      chmodSync(file, 0o644)
      expect((await examine(user)).wrong).toMatchObject([
        {
          code: 'CREDENTIALS',
          message: expect.stringContaining('others can read'),
          fix: expect.stringContaining('chmod 600'),
        },
      ])
      Object.assign(user.env, { HOME: '', XDG_CONFIG_HOME: '' })
      expect((await examine(user)).wrong).toMatchObject([
        { code: 'CREDENTIALS', message: expect.stringContaining('no home folder'), fix: expect.any(String) },
      ])
    },
    60_000,
  )

  it('reports an old Node version', () => {
    expect([checkNode('18.20.0').level, checkNode('20.18.9').level]).toEqual(['problem', 'problem'])
    expect([checkNode('20.19.0').level, checkNode('24.0.0').level]).toEqual(['ok', 'ok'])
  })
})

/** Brings the database of a project up to date, as its program would. */
async function syncDatabase(folder: string): Promise<void> {
  const db = await openDatabase(sqlite({ file: join(folder, 'app.db') }))
  const { models } = compile([{ path: 'notes.portico', text: table }])
  await db.sync(models.flatMap((it) => it.declarations).flatMap((it) => it.table ?? []))
  await db.close()
}
