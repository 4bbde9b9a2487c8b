import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico } from './support/cli.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const config = `import { defineConfig } from '@portico/cli'
import { sqlite } from '@portico/db/sqlite'
import { file } from './deep/settings.ts'

export default defineConfig({ schema: 'schema', database: () => sqlite({ file: file as string }) })
`

const schema = (...fields: string[]) =>
  `@db.table 'users'\nexport interface User {\n  @meta.id id: number\n  ${fields.join('\n  ')}\n}\n`

/** A project with a configuration in TypeScript, which imports another module. */
function makeProject(...fields: string[]): string {
  const folder = makeFolder({
    'portico.config.ts': config,
    'deep/settings.ts': `export const file: string = process.env['DATABASE_FILE'] ?? 'app.db'\n`,
    'schema/users.portico': schema(...fields),
    'package.json': '{ "type": "module" }',
  })
  symlinkSync(modules, join(folder, 'node_modules'), 'junction')
  return folder
}

function declare(folder: string, ...fields: string[]): void {
  writeFileSync(join(folder, 'schema', 'users.portico'), schema(...fields))
}

function query(folder: string, text: string): unknown[] {
  const db = new BetterSqlite(join(folder, 'app.db'))
  try {
    const statement = db.prepare(text)
    return statement.reader ? statement.all() : [statement.run().changes]
  } finally {
    db.close()
  }
}

describe('portico sync', () => {
  it('creates the database, applies the schema, and then finds nothing to do', () => {
    const folder = makeProject('name: string')
    expect(portico(folder, 'sync')).toEqual({
      code: 0,
      out: '  additive    create table users\n1 step done\n',
      err: '',
    })
    expect(portico(folder, 'sync')).toEqual({ code: 0, out: 'the database is up to date\n', err: '' })
    expect(portico(join(folder, 'deep'), 'sync', '--config', '../portico.config.ts').code).toBe(0)
  }, 60_000)

  it('explains a folder name that TypeScript cannot load from', () => {
    const folder = makeFolder({ 'a#b/portico.config.ts': 'export default {}' })
    const { code, err } = portico(join(folder, 'a#b'), 'sync')
    expect(err).toMatch(/failed: .*rename the folder/)
    expect(code).toBe(2)
  }, 60_000)

  it.each([
    ['--plan', 0, 'create table users'],
    ['--check', 1, 'create table users'],
    ['--sql', 0, 'CREATE TABLE "users"'],
  ])(
    '%s does not create a missing database',
    (mode, code, text) => {
      const folder = makeProject('name: string')
      const before = readdirSync(folder)
      const run = portico(folder, 'sync', mode)
      expect(run).toEqual({ code, out: expect.stringContaining(text), err: '' })
      expect(readdirSync(folder)).toEqual(before)
    },
    60_000,
  )

  it('--plan reports a missing folder, like sync', () => {
    const folder = makeProject('name: string')
    writeFileSync(join(folder, 'deep', 'settings.ts'), `export const file = 'gone/app.db'\n`)
    const [planned, synced] = [portico(folder, 'sync', '--plan'), portico(folder, 'sync')]
    expect(planned).toMatchObject({ code: 2, err: expect.stringContaining('cannot open gone/app.db') })
    expect(planned).toEqual(synced)
  }, 60_000)

  it('refuses a step with exit code 1 until it is allowed', () => {
    const folder = makeProject('name: string', 'bio: string')
    portico(folder, 'sync')
    query(folder, `insert into users (id, name, bio) values (1, 'a', 'b')`)
    declare(folder, 'name: string')
    const refused = portico(folder, 'sync')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('the sync was refused; nothing was changed')
    expect(refused.err).toContain("\nto allow this: npx portico sync --allow 'drop users.bio'\n")
    expect(query(folder, 'select bio from users')).toEqual([{ bio: 'b' }])
    const done = portico(folder, 'sync', '--allow', 'drop users.bio')
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toContain('destructive drop column users.bio (1 row, loses 1 value')
    expect(query(folder, 'select * from users')).toEqual([{ id: 1, name: 'a' }])
  }, 60_000)

  it('keeps what is no longer declared; --drop-unused lists it with the command that drops it', () => {
    const folder = makeProject('name: string', '@db.index.unique bio?: string', 'old?: string')
    portico(folder, 'sync')
    expect(portico(folder, 'sync', '--drop-unused').out).toBe('everything that sync created is still declared\n')
    query(folder, `insert into users (id, name, bio) values (1, 'a', 'b')`)
    declare(folder, 'name: string')
    const kept = "column users.bio is no longer declared: allow 'drop users.bio' to drop it\n"
    for (const args of [[], ['--plan'], ['--check']]) {
      const run = portico(folder, 'sync', ...args)
      expect(run).toMatchObject({ code: 0, err: '', out: expect.stringContaining(kept) })
    }
    const unused = portico(folder, 'sync', '--drop-unused')
    expect(unused).toMatchObject({ code: 0, err: '' })
    expect(unused.out).toContain('  column users.bio is no longer declared (1 value)\n')
    expect(unused.out).toContain('  column users.old is no longer declared (0 values)\n')
    const [, words = ''] = /^to drop it: npx portico sync (.*)$/m.exec(unused.out) ?? []
    const allow = [...words.matchAll(/'([^']*)'/g)].map(([, it]) => it!)
    expect(allow).toEqual(['drop users.bio', 'drop users.old', 'drop users__bio'])
    const json = JSON.parse(portico(folder, 'sync', '--drop-unused', '--json').out) as { kept: { consent: string }[] }
    expect(json.kept.map((it) => it.consent)).toEqual(allow)
    expect(query(folder, 'select bio from users')).toEqual([{ bio: 'b' }])
    expect(portico(folder, 'sync', ...allow.flatMap((it) => ['--allow', it]))).toMatchObject({ code: 0, err: '' })
    expect(query(folder, 'select * from users')).toEqual([{ id: 1, name: 'a' }])
  }, 60_000)

  it('--drop-unused offers no command for a possible rename', () => {
    const folder = makeProject('name: string', 'bio?: string', 'old?: number')
    portico(folder, 'sync')
    query(folder, `insert into users (id, name, bio) values (1, 'a', 'b')`)
    declare(folder, 'name: string', 'about?: string')
    const column = portico(folder, 'sync', '--drop-unused')
    expect(column.out).toContain('column users.bio is no longer declared (possibly renamed, 1 value)\n')
    expect(column.out).toContain("\nto drop it: npx portico sync --allow 'drop users.old'\n")
    expect(portico(folder, 'sync', '--plan').out).not.toContain('drop users.bio')
    const json = JSON.parse(portico(folder, 'sync', '--drop-unused', '--json').out) as { kept: object[] }
    expect(json.kept[0]).toMatchObject({ name: 'users.bio', suspected: 'rename' })

    declare(folder, 'name: string', 'bio?: string', 'old?: number')
    const file = join(folder, 'schema', 'users.portico')
    writeFileSync(file, readFileSync(file, 'utf8').replace("'users'", "'people'"))
    const table = portico(folder, 'sync', '--drop-unused')
    expect(table.out).toBe('  table users is no longer declared (possibly renamed, 1 row)\n')
    expect(query(folder, 'select bio from users')).toEqual([{ bio: 'b' }])
  }, 60_000)

  it('leaves possible renames out of the suggested command', () => {
    const folder = makeProject('name: string', 'bio: string', 'gone: number')
    portico(folder, 'sync')
    query(folder, `insert into users (id, name, bio, gone) values (1, 'a', 'b', 1)`)
    declare(folder, 'name: string', "@db.default '' about: string")
    const refused = portico(folder, 'sync')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("@db.column.renamed 'bio'") })
    expect(refused.err).toContain("to allow this: npx portico sync --allow 'drop users.gone'\n")
    declare(folder, 'name: string', "@db.default '' about: string", 'gone: number')
    const alone = portico(folder, 'sync')
    expect(alone).toMatchObject({ code: 1, err: expect.not.stringContaining('to allow this') })
  }, 60_000)

  it('does nothing while generated modules are missing or out of date', () => {
    const folder = makeProject('name: string')
    expect(portico(folder, 'generate', 'schema')).toMatchObject({ code: 0 })
    expect(portico(folder, 'sync')).toMatchObject({ code: 0 })
    declare(folder, 'name: string', 'bio?: string')
    for (const args of [[], ['--plan'], ['--sql'], ['--check']]) {
      const refused = portico(folder, 'sync', ...args)
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('run `portico generate` first') })
      expect(refused.err).toContain('schema/users.portico.ts is missing or out of date')
    }
    expect(query(folder, "select * from pragma_table_info('users')")).toHaveLength(2)
    portico(folder, 'generate', 'schema')
    expect(portico(folder, 'sync')).toMatchObject({ code: 0 })
  }, 60_000)

  it('reports rows that violate the declaration, once', () => {
    const folder = makeProject("state: 'a' | 'b'")
    portico(folder, 'sync')
    query(folder, `insert into users (id, state) values (1, 'a'), (2, 'b')`)
    declare(folder, "state: 'a'")
    const warning = 'warning: table `users`: column `state`: 1 row has a value that the declaration no longer allows'
    expect(portico(folder, 'sync', '--check')).toMatchObject({ code: 0, out: expect.stringContaining(warning) })
    expect(portico(folder, 'sync').out).toContain(warning)
    expect(portico(folder, 'sync').out).toBe('the database is up to date\n')
  }, 60_000)

  it('--plan shows the steps and changes nothing; exits with 1 if they would be refused', () => {
    const folder = makeProject('name: string')
    expect(portico(folder, 'sync', '--plan')).toEqual({ code: 0, out: '  additive    create table users\n', err: '' })
    portico(folder, 'sync')
    declare(folder)
    const planned = portico(folder, 'sync', '--plan')
    expect(planned).toMatchObject({ code: 1, out: expect.stringContaining('refused:') })
    expect(planned.out).toContain("npx portico sync --allow 'drop users.name'")
    const allowed = portico(folder, 'sync', '--plan', '--allow', 'drop users.name')
    expect(allowed).toMatchObject({ code: 0, out: expect.not.stringContaining('to allow this') })
    expect(query(folder, 'select name from users')).toEqual([])
  }, 60_000)

  it('--allow without a value does not consume the next option', () => {
    const folder = makeProject()
    expect(portico(folder, 'sync', '--allow', '--plan')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--allow needs a value'),
    })
    expect(existsSync(join(folder, 'app.db'))).toBe(false)
  })

  it('--check exits with 1 if anything differs, and changes nothing', () => {
    const folder = makeProject('name: string')
    expect(portico(folder, 'sync', '--check').code).toBe(1)
    portico(folder, 'sync')
    expect(portico(folder, 'sync', '--check')).toEqual({ code: 0, out: 'the database is up to date\n', err: '' })
    query(folder, 'create index strange on users (name)')
    expect(portico(folder, 'sync', '--check').code).toBe(0)
    declare(folder, 'name: string', 'age?: number')
    expect(portico(folder, 'sync', '--check').code).toBe(1)
    expect(() => query(folder, 'select age from users')).toThrow('no such column')
  }, 60_000)

  it('--sql writes a script for sqlite3 that applies all changes', () => {
    const folder = makeProject('name: string', 'age: number')
    portico(folder, 'sync')
    query(folder, `insert into users (id, name, age) values (1, 'a', 2)`)
    declare(folder, "@db.column.renamed 'name' title?: string", '@db.index.plain age: number')
    expect(portico(folder, 'sync', '--sql', 'next.sql')).toEqual({ code: 0, out: 'wrote next.sql\n', err: '' })
    const script = readFileSync(join(folder, 'next.sql'), 'utf8')
    expect(script).toMatch(/^-- rename: rename column users\.name to title\n/)
    expect(portico(folder, 'sync', '--sql')).toEqual({ code: 0, out: script, err: '' })
    expect(portico(folder, 'sync', '--check').code).toBe(1)
    const db = new BetterSqlite(join(folder, 'app.db'))
    // Commands for the shell are not SQL.
    db.exec(script.replace(/^\.bail on$/m, ''))
    db.close()
    expect(portico(folder, 'sync', '--check').code).toBe(0)
    expect(query(folder, 'select title, age from users')).toEqual([{ title: 'a', age: 2 }])
    expect(portico(folder, 'sync', '--sql')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('nothing'),
    })
  }, 60_000)

  it('reports tables that are no longer declared, and drops them when allowed', () => {
    const folder = makeProject('name: string')
    portico(folder, 'sync')
    writeFileSync(join(folder, 'schema', 'users.portico'), schema('name: string').replace("'users'", "'people'"))
    const { out } = portico(folder, 'sync')
    const hint = "did you mean `@db.table.renamed 'users'` on `User`?"
    const left = "table users is no longer declared: allow 'drop users' to drop it\n"
    expect(out).toBe(`  additive    create table people (${hint})\n1 step done\n${left}`)
    expect(portico(folder, 'sync').out).toBe(`the database is up to date\n${left}`)
    const slip = portico(folder, 'sync', '--allow', 'drop user')
    expect(slip).toEqual({
      code: 0,
      out: `the database is up to date\n${left}`,
      err: "not needed: --allow 'drop user'\n",
    })
    const dropped = portico(folder, 'sync', '--allow', 'drop users')
    expect(dropped).toMatchObject({ code: 0, out: expect.stringContaining('drop table users'), err: '' })
    expect(portico(folder, 'sync').out).toBe('the database is up to date\n')
  }, 60_000)

  it('--json prints one object', () => {
    const folder = makeProject('name: string')
    const planned = JSON.parse(portico(folder, 'sync', '--plan', '--json').out) as object
    expect(planned).toMatchObject({
      applied: false,
      problems: [],
      leftovers: [],
      steps: [{ kind: 'createTable', class: 'additive', name: 'users' }],
    })
    expect(JSON.parse(portico(folder, 'sync', '--json').out)).toMatchObject({
      applied: true,
      steps: [{ kind: 'createTable' }],
    })
    declare(folder)
    const refused = portico(folder, 'sync', '--json')
    expect(refused).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(refused.out)).toMatchObject({
      applied: false,
      steps: [{ consent: 'drop users.name', isAllowed: false }],
    })
  }, 60_000)

  it('exits with 2 if it fails', () => {
    const folder = makeProject('name: nothing')
    expect(portico(folder, 'sync')).toMatchObject({ code: 2, err: expect.stringContaining('schema/users.portico:4:9') })
    expect(existsSync(join(folder, 'app.db'))).toBe(false)
    expect(portico(folder, 'sync', '--plan', '--check')).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be combined'),
    })
    expect(portico(folder, 'sync', 'users.portico')).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not take files'),
    })
    expect(portico(makeFolder({}), 'sync')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no portico.config.ts found'),
    })
    const none = makeFolder({ 'portico.config.mjs': 'export default {}', 'a.portico': schema() })
    expect(portico(none, 'sync')).toMatchObject({ code: 2, err: expect.stringContaining('has no database') })
  }, 60_000)
})
