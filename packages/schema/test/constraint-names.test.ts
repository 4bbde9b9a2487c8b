import { compile } from '@portico/schema'
import { describe, expect, it } from 'vitest'

const team = "@db.table 'teams'\nexport interface Team {\n @meta.id\n id: number\n}\n"

function table(name: string, ...fields: string[]): string {
  return `@db.table '${name}'\ninterface ${name.replace(/\W/g, '')} {\n @meta.id\n id: number\n ${fields.join('\n ')}\n}\n`
}

/** The errors, each with the texts of its own place and of the related one. */
function errorsOf(...texts: string[]): unknown[] {
  const sources = texts.map((text, index) => ({ path: `${index}.portico`, text }))
  const read = (path: string, span: { start: number; end: number }) =>
    sources.find((it) => it.path === path)!.text.slice(span.start, span.end)
  return compile(sources).diagnostics.map((it) => [
    it.code,
    read(it.path, it.span),
    ...it.related.map((at) => `${at.path} ${read(at.path, at.span)}`),
  ])
}

describe('physical names that differ only in case', () => {
  it('are an error for two foreign keys, at both places', () => {
    const fields = ["@db.rel.FK 'main'\n a: Team.id", "@db.rel.FK 'Main'\n b: Team.id"]
    expect(errorsOf(team + table('users', ...fields))).toEqual([
      ['duplicate_constraint', '@db.rel.FK', '0.portico @db.rel.FK'],
    ])
  })

  it('are an error for two indexes, at both places, also on one field', () => {
    const twice = ["@db.index.unique 'x'\n a: string", "@db.index.unique 'X'\n b: string"]
    expect(errorsOf(table('users', ...twice))).toEqual([
      ['duplicate_index', '@db.index.unique', '0.portico @db.index.unique'],
    ])
    expect(errorsOf(table('users', "@db.index.plain 'x'\n @db.index.plain 'X'\n a: string"))).toEqual([
      ['duplicate_index', '@db.index.plain', '0.portico @db.index.plain'],
    ])
  })

  it('are an error across tables and files', () => {
    const posts = table('posts', 'meta: {\n @db.index.plain\n Slug: string\n }')
    const meta = table('posts__meta', '@db.index.plain\n slug: string')
    expect(errorsOf(posts, meta)).toEqual([['duplicate_constraint', '@db.index.plain', '0.portico @db.index.plain']])
  })
})

describe('physical names that are equal', () => {
  it('are an error for foreign keys to two tables', () => {
    const fields = ["@db.rel.FK 'x'\n a: Team.id", "@db.rel.FK 'x'\n b: users.id"]
    expect(errorsOf(team + table('users', ...fields))).toEqual([
      ['duplicate_constraint', '@db.rel.FK', '0.portico @db.rel.FK'],
    ])
  })

  it('are an error for an index and a table, whichever comes first', () => {
    const posts = table('posts', "@db.index.plain 'tags'\n title: string")
    const tags = table('posts__tags', 'a: string')
    expect(errorsOf(posts, tags)).toEqual([['duplicate_constraint', '@db.index.plain', '1.portico posts__tags']])
    expect(errorsOf(tags, posts)).toEqual([['duplicate_constraint', '@db.index.plain', '0.portico posts__tags']])
  })

  it('are fine in different schemas, and for an index and a foreign key', () => {
    const inSchema = (schema: string): string =>
      `@db.schema '${schema}'\n${table('users', '@db.index.plain\n a: string').replace('interface users', `interface ${schema}`)}`
    expect(errorsOf(inSchema('One') + inSchema('Two'))).toEqual([])
    const both = "@db.index.plain 'teamId__fk'\n @db.rel.FK\n teamId: Team.id"
    expect(errorsOf(team + table('users', both))).toEqual([])
  })
})

describe('one mistake stays one error', () => {
  it('when the columns of two foreign keys differ only in case', () => {
    const fields = ['@db.rel.FK\n teamId: Team.id', '@db.rel.FK\n TeamId: Team.id']
    expect(errorsOf(team + table('users', ...fields))).toEqual([['duplicate_column', 'TeamId']])
  })

  it('when two tables have one name', () => {
    const field = '@db.index.plain\n @db.rel.FK\n teamId: Team.id'
    expect(errorsOf(team + table('users', field) + table('Users', field))).toEqual([
      ['duplicate_table', 'Users', '0.portico users'],
    ])
  })
})

it('an inherited field is reported at the name of its table', () => {
  const base = `${team}interface Owned {\n @db.rel.FK 'x'\n a: Team.id\n}\n`
  const child = table('users', "@db.rel.FK 'X'\n b: Team.id").replace(
    'interface users',
    'interface users extends Owned',
  )
  expect(errorsOf(base + child)).toEqual([['duplicate_constraint', '@db.rel.FK', '0.portico users']])
})
