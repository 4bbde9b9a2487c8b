// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

/** The name is the interface's own. */
export interface Plain {
  id: number
}

/** Input to insert a `Plain`. Fields with a default may be omitted; `null` means no value. */
export interface PlainInsert {
  id: number
}

/** Input to replace a `Plain`: every field except those filled in on write. */
export interface PlainReplace {
  id: number
}

/** Input to update a `Plain`: its key and any other fields. `null` clears an optional field. */
export interface PlainUpdate {
  id: number
}

/** The primary key of a `Plain`. */
export interface PlainKey {
  id: number
}

export const Plain: portico.TableDeclaration<Plain, PlainInsert, PlainUpdate, PlainKey, PlainReplace> = portico.defineTable({
  name: 'Plain',
  table: 'Plain',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: "The name is the interface's own.",
    type: 'object',
    properties: { id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkPlain,
})

function checkPlain(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
}

export interface User {
  id: string
}

/** Input to insert a `User`. Fields with a default may be omitted; `null` means no value. */
export interface UserInsert {
  id: string
}

/** Input to replace a `User`: every field except those filled in on write. */
export interface UserReplace {
  id: string
}

/** Input to update a `User`: its key and any other fields. `null` clears an optional field. */
export interface UserUpdate {
  id: string
}

/** The primary key of a `User`. */
export interface UserKey {
  id: string
}

export const User: portico.TableDeclaration<User, UserInsert, UserUpdate, UserKey, UserReplace> = portico.defineTable({
  name: 'User',
  table: 'users',
  schema: 'auth',
  renamedFrom: ['people', 'persons'],
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'string', storage: 'text', key: true }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkUser,
})

function checkUser(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'id'], 'text')
  } else portico.missing(issues, path, 'id')
}
