import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compile } from '@portico/schema'
import type { AnyTable, Schema } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { listSamples, readSample } from './support/samples.ts'
import { makeFolder } from './support/temp-folder.ts'
import { compileTypeScript } from './support/typescript.ts'

/** Compiles schema files and the given TypeScript beside them; returns what tsc says and where its output lies. */
function build(schemas: Readonly<Record<string, string>>, extra: Readonly<Record<string, string>> = {}) {
  const { modules, diagnostics } = compile(Object.entries(schemas).map(([path, text]) => ({ path, text })))
  expect(diagnostics.filter((it) => it.severity === 'error')).toEqual([])
  const files = { ...Object.fromEntries(modules.map((it) => [it.path, it.code])), ...extra }
  const folder = makeFolder(files)
  const complaints = compileTypeScript(folder, Object.keys(files))
  return {
    complaints,
    load: (file: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, 'out', file)).href),
  }
}

const usersAndTeams = {
  'users.portico': `import { Team } from './teams'

@db.table 'users'
export interface User {
  @meta.id
  @db.default.increment
  id: number
  email: string.email
  @db.default 'member'
  role: 'admin' | 'member'
  name?: string
  address: { city: string, zip?: string }
  @db.rel.FK
  teamId?: Team.id
  @db.rel.to
  team?: Team
  createdAt: number.timestamp.created
}`,
  'teams.portico': `import { User } from './users'

@db.table 'teams'
export interface Team {
  @meta.id
  id: number
  @db.rel.from
  members?: User[]
}`,
}

describe('generated modules', () => {
  it('pass the strictest TypeScript', () => {
    const samples = listSamples().filter((name) => compile(readSample(name)).modules.length > 0)
    expect(samples.length).toBeGreaterThan(12)
    const schemas = samples.flatMap((name) => readSample(name).map((it) => [`${name}/${it.path}`, it.text]))
    // One compiler for all: two samples may well have a table of the same name.
    const modules = samples.flatMap((name) =>
      compile(readSample(name)).modules.map((it): [string, string] => [`${name}/${it.path}`, it.code]),
    )
    expect(modules).toHaveLength(schemas.length)
    const folder = makeFolder(Object.fromEntries(modules))
    expect(
      compileTypeScript(
        folder,
        modules.map(([path]) => path),
      ),
    ).toBe('')
  }, 60_000)

  it('have correct types for records, inserts, replacements, updates and keys', () => {
    const use = `import { User, type UserInsert, type UserKey, type UserRelations, type UserReplace, type UserUpdate } from './users.portico.js'
import type { Team, TeamRelations } from './teams.portico.js'

import type { InsertOf, KeyOf, RecordOf, RelationsOf, ReplaceOf, UpdateOf } from '@portico/schema/runtime'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type T = typeof User
export const same: [Same<RecordOf<T>, User>, Same<InsertOf<T>, UserInsert>, Same<ReplaceOf<T>, UserReplace>] = [true, true, true]
export const alike: [Same<UpdateOf<T>, UserUpdate>, Same<KeyOf<T>, UserKey>] = [true, true]
// @ts-expect-error an insert is not a record
export const other: Same<InsertOf<T>, User> = true

const address = { city: 'Bern' }
export const least: UserInsert = { email: 'a@b.c', address }
export const cleared: UserInsert = { email: 'a@b.c', address: { city: 'Bern', zip: null }, name: null, teamId: null }
export const changed: UserUpdate = { id: 1, name: null }
export const replaced: UserReplace = { id: 1, email: 'a@b.c', role: 'admin', address }
export const key: UserKey = { id: 1 }
export const record: User = { id: 1, email: 'a@b.c', role: 'admin', address, createdAt: 0 }
export const relations: [Same<RelationsOf<T>, UserRelations>, Same<UserRelations, { team?: typeof Team }>] = [true, true]
export const many: Same<TeamRelations, { members: (typeof User)[] }> = true
// @ts-expect-error related records are not part of a record
export const team: unknown = record.team
const result = User.insertSchema.validate({})
if (result.ok) result.value satisfies UserInsert
if (User.is({})) throw new Error()

// @ts-expect-error an insert needs its required fields
export const a: UserInsert = { address }
// @ts-expect-error a record has no null for what is absent
export const b: User = { ...record, name: null }
// @ts-expect-error a required field cannot be cleared
export const c: UserUpdate = { id: 1, email: null }
// @ts-expect-error an update needs the key
export const d: UserUpdate = { name: 'x' }
// @ts-expect-error a replacement needs what has a default
export const e: UserReplace = { id: 1, email: 'a@b.c', address }
// @ts-expect-error no other role
export const f: UserInsert = { email: 'a@b.c', address, role: 'owner' }
// @ts-expect-error a navigation field is not part of the input
export const g: UserInsert = { email: 'a@b.c', address, team: { id: 1 } }
// @ts-expect-error undefined is not absent
export const h: UserUpdate = { id: 1, name: undefined }
`
    expect(build(usersAndTeams, { 'use.ts': use }).complaints).toBe('')
  }, 60_000)

  it('run with circular imports, and relations resolve to tables', async () => {
    const { complaints, load } = build(usersAndTeams)
    expect(complaints).toBe('')
    const { User } = (await load('users.portico.js')) as { User: AnyTable }
    const { Team } = (await load('teams.portico.js')) as { Team: AnyTable }
    expect(User.relations.map((it) => [it.name, it.table()])).toEqual([['team', Team]])
    expect(Team.relations.map((it) => [it.name, it.table()])).toEqual([['members', User]])
  }, 60_000)

  it('do not confuse imported types with the variables of validators', async () => {
    const names = [
      'value',
      'path',
      'issues',
      'mode',
      'name',
      'it',
      'index',
      'item',
      'item1',
      'checkAll',
      'Array',
      'Object',
    ]
    const { complaints, load } = build({
      'all.portico': `import { ${names.join(', ')} } from './names'
export interface All {
${names.map((name) => `  ${name}: ${name}[][]`).join('\n')}
}`,
      'names.portico': names.map((name) => `export interface ${name} { a: string }`).join('\n'),
    })
    expect(complaints).toBe('')
    const { All } = (await load('all.portico.js')) as { All: Schema<unknown> }
    const right = Object.fromEntries(names.map((name) => [name, [[{ a: 'x' }]]]))
    expect(All.is(right)).toBe(true)
    expect(All.is({ ...right, value: [[{ a: 1 }]] })).toBe(false)
  }, 60_000)

  it('are deterministic', () => {
    const sources = readSample('relations')
    const first = compile(sources).modules
    expect(compile(sources).modules).toEqual(first)
    const paths = first.map((it) => it.path)
    expect(
      compile(sources.toReversed())
        .modules.toReversed()
        .map((it) => it.path),
    ).toEqual(paths)
    expect(compile(sources.toReversed()).modules.toReversed()).toEqual(first)
  })

  it('import each other with the requested extension', () => {
    const sources = Object.entries(usersAndTeams).map(([path, text]) => ({ path: `a/${path}`, text }))
    const [users] = compile(sources, { importExtension: 'ts' }).modules
    expect(users!.code).toContain("from './teams.portico.ts'")
    expect(compile(sources).modules[0]!.code).toContain("from './teams.portico.js'")
  })

  it('find modules in other folders', () => {
    const { modules, failed } = compile([
      { path: 'app/users/user.portico', text: "import { Team } from '../teams/team'\ninterface User { team: Team }" },
      { path: 'app/teams/team.portico', text: 'export interface Team { name: string }' },
    ])
    expect(failed).toBe(false)
    expect(modules[0]!.code).toContain("import { Team } from '../teams/team.portico.js'")
  })
})
