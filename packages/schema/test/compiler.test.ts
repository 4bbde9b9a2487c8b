import { Compiler, compile } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { mutate } from './support/mutate.ts'
import { Random } from './support/random.ts'

/** A compiler on files that a test can change. */
function compilerOn(files: Record<string, string>) {
  const texts = new Map(Object.entries(files))
  const compiler = new Compiler({ read: (path) => texts.get(path) })
  return { texts, compile: () => compiler.compile([...texts.keys()]) }
}

const table = (name: string, fields = ''): string => `@db.table '${name.toLowerCase()}'
export interface ${name} {
  @meta.id
  id: number
${fields}}\n`

describe('incremental compilation', () => {
  const files = {
    'a.portico': `import { B } from './b'\n${table('A', '  @db.rel.FK\n  b: B.id\n')}`,
    'b.portico': `import { C } from './c'\n${table('B', '  c: C.id\n')}`,
    'c.portico': table('C'),
    'd.portico': table('D'),
  }

  it('compiles nothing if nothing changed', () => {
    const { compile } = compilerOn(files)
    expect(compile().compiled).toEqual(['a.portico', 'b.portico', 'c.portico', 'd.portico'])
    const again = compile()
    expect(again.compiled).toEqual([])
    expect(again.modules).toHaveLength(4)
  })

  it('compiles changed files and all that import them, directly or indirectly', () => {
    const { texts, compile } = compilerOn(files)
    compile()
    texts.set('b.portico', `${files['b.portico']}\n`)
    expect(compile().compiled).toEqual(['a.portico', 'b.portico'])
    texts.set('d.portico', table('D', '  x: string\n'))
    expect(compile().compiled).toEqual(['d.portico'])
  })

  it('gives the same result as a full compile after every change', () => {
    const { texts, compile: again } = compilerOn(files)
    const changes: [string, string | undefined][] = [
      ['c.portico', table('C', '  @db.index.plain\n  name: string\n').replace('id: number', 'id: string')],
      ['b.portico', 'broken {'],
      ['b.portico', files['b.portico']],
      ['c.portico', undefined],
      ['c.portico', table('C')],
      ['d.portico', table('D').replace("'d'", "'a'")],
      ['d.portico', table('D')],
    ]
    again()
    for (const [path, text] of changes) {
      if (text === undefined) texts.delete(path)
      else texts.set(path, text)
      const { diagnostics, modules, failed } = again()
      const fresh = compile([...texts].map(([path, text]) => ({ path, text })))
      expect({ diagnostics, modules, failed }).toEqual({
        diagnostics: fresh.diagnostics,
        modules: fresh.modules,
        failed: fresh.failed,
      })
    }
  })

  it('gives the same result as a full compile, whatever is broken and fixed', () => {
    const teams = `import { User } from './user'\n${table('Team', '  @db.rel.from\n  members?: User[]\n')}`
    const users = `import { Base, Kind } from './base'
import { Team } from './team'
@db.table 'users'
export interface User extends Base {
  kind: Kind
  @db.rel.FK
  teamId: Team.id
  @db.rel.to
  team?: Team
}\n`
    const base = "export interface Base {\n  @meta.id\n  id: number\n}\nexport type Kind = 'a' | 'b'\n"
    const files = { 'team.portico': teams, 'user.portico': users, 'base.portico': base }
    for (let seed = 0; seed < heavy(500); seed++) {
      const random = new Random(seed)
      const { texts, compile: again } = compilerOn(files)
      again()
      for (let step = 0; step < 4; step++) {
        const [path, text] = random.pick(Object.entries(files))
        texts.set(path, random.chance(0.3) ? text : mutate(text, random))
        const { diagnostics, modules } = again()
        const fresh = compile([...texts].map(([path, text]) => ({ path, text })))
        expect({ seed, diagnostics, modules }).toEqual({ seed, diagnostics: fresh.diagnostics, modules: fresh.modules })
      }
    }
  })

  it('keeps inherited keys, foreign keys and indexes of a file that did not change', () => {
    const base = `import { Team } from './team'
export interface Base {
  @meta.id
  id: number
  @db.rel.FK
  @db.rel.onDelete 'cascade'
  @db.index.plain
  teamId: Team.id
  @db.rel.to
  team?: Team
}`
    const { texts, compile: again } = compilerOn({
      'team.portico': table('Team'),
      'base.portico': base,
      'user.portico': "import { Base } from './base'\n@db.table 'u'\nexport interface User extends Base {}",
    })
    const before = again().modules.find((it) => it.path === 'user.portico.ts')
    texts.set('user.portico', `${texts.get('user.portico')}\n`)
    const after = again()
    expect(after.compiled).toEqual(['user.portico'])
    expect(after.modules.find((it) => it.path === 'user.portico.ts')).toEqual(before)
    expect(before!.code).toContain("onDelete: 'cascade'")
    expect(before!.code).toContain('u__teamId')
  })
})

describe('compile', () => {
  it('returns modules for the requested files and reads their imports', () => {
    const texts = new Map([
      ['a.portico', "import { B } from './b'\ninterface A { b: B }"],
      ['b.portico', 'export interface B { c: string }'],
    ])
    const { modules, compiled } = new Compiler({ read: (path) => texts.get(path) }).compile(['a.portico'])
    expect(modules.map((it) => it.path)).toEqual(['a.portico.ts'])
    expect(compiled).toEqual(['a.portico', 'b.portico'])
  })

  it('reports a missing file', () => {
    const { diagnostics, failed } = new Compiler({ read: () => undefined }).compile(['a.portico'])
    expect([failed, diagnostics.map((it) => it.code)]).toEqual([true, ['file_not_found']])
  })

  it('returns modules if there are only warnings', () => {
    const { diagnostics, modules, failed } = compile([
      { path: 'a.portico', text: '@db.table\ninterface A { a: string }' },
    ])
    expect([failed, modules.length, diagnostics.map((it) => it.severity)]).toEqual([false, 1, ['warning']])
  })

  it('returns no modules if one of several files has an error', () => {
    const sources = [
      { path: 'a.portico', text: 'interface A { a: string }' },
      { path: 'b.portico', text: 'interface B { a: Nope }' },
    ]
    expect(compile(sources).modules).toEqual([])
  })

  it('reads Windows line ends and a byte order mark', () => {
    const text = '\ufeffinterface A {\r\n  // c\r\n  a: string\r\n  b: Nope\r\n}\r\n'
    const { diagnostics } = compile([{ path: 'a.portico', text }])
    expect(diagnostics.map((it) => [it.code, it.start])).toEqual([['unknown_name', { line: 4, column: 6 }]])
  })

  it('resolves imports with and without extension, in parent folders and subfolders', () => {
    const { failed } = compile([
      {
        path: 'x/a.portico',
        text: "import { B } from '../b'\nimport { C } from './y/c.portico'\ninterface A { b: B, c: C }",
      },
      { path: 'b.portico', text: 'export interface B { b: string }' },
      { path: 'x/y/c.portico', text: "import { B } from '../../b'\nexport interface C { c: B }" },
    ])
    expect(failed).toBe(false)
  })

  it('uses the storage type of a key for all references to it', () => {
    const text = `${table('Team')}
type TeamRef = Team.id
@db.table
interface User {
  @meta.id
  id: string
  a: Team.id
  b?: TeamRef
  c: Team.id | null
  d: number
}`
    const { models } = compile([{ path: 'a.portico', text }])
    const columns = models[0]!.declarations.find((it) => it.name === 'User')!.table!.columns
    expect(columns.map((it) => [it.path, it.storage])).toEqual([
      ['id', 'text'],
      ['a', 'integer'],
      ['b', 'integer'],
      ['c', 'integer'],
      ['d', 'real'],
    ])
  })
})
