// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Defaults {
  id: number
  token: string
  at: number
  role: 'admin' | 'member'
  count: number
  active: boolean
  balance: string
  version: number
  settings: { theme: string; size?: number }
}

/** Input to insert a `Defaults`. Fields with a default may be omitted; `null` means no value. */
export interface DefaultsInsert {
  id?: number
  token?: string
  at?: number
  role?: 'admin' | 'member'
  count?: number
  active?: boolean
  balance?: string
  version?: number
  settings: { theme?: string; size?: number | null }
}

/** Input to replace a `Defaults`: every field except those filled in on write. */
export interface DefaultsReplace {
  id: number
  token: string
  at: number
  role: 'admin' | 'member'
  count: number
  active: boolean
  balance: string
  version?: number
  settings: { theme: string; size?: number | null }
}

/** Input to update a `Defaults`: its key and any other fields. `null` clears an optional field. */
export interface DefaultsUpdate {
  id: number
  token?: string
  at?: number
  role?: 'admin' | 'member'
  count?: number
  active?: boolean
  balance?: string
  version?: number
  settings?: { theme: string; size?: number | null }
}

/** The primary key of a `Defaults`. */
export interface DefaultsKey {
  id: number
}

export const Defaults: portico.TableDeclaration<Defaults, DefaultsInsert, DefaultsUpdate, DefaultsKey, DefaultsReplace, portico.NoRelations, 'balance'> = portico.defineTable({
  name: 'Defaults',
  table: 'defaults',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1000 } },
    { path: 'token', name: 'token', type: 'string', storage: 'text', default: { kind: 'uuid' } },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, default: { kind: 'now' } },
    { path: 'role', name: 'role', type: 'string', storage: 'text', values: ['admin', 'member'], default: { kind: 'value', value: 'member' } },
    { path: 'count', name: 'count', type: 'number', storage: 'real', default: { kind: 'value', value: 0 } },
    { path: 'active', name: 'active', type: 'boolean', storage: 'boolean', default: { kind: 'value', value: true } },
    { path: 'balance', name: 'balance', type: 'decimal', storage: 'decimal', default: { kind: 'value', value: '0.00' }, precision: { precision: 9, scale: 2 } },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'settings.theme', name: 'settings__theme', type: 'string', storage: 'text', default: { kind: 'value', value: 'dark' } },
    { path: 'settings.size', name: 'settings__size', type: 'number', storage: 'real', nullable: true, optional: true },
  ],
  groups: [{ path: 'settings', optional: false }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      token: { type: 'string' },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      role: { type: 'string', enum: ['admin', 'member'], default: 'member' },
      count: { type: 'number', default: 0 },
      active: { type: 'boolean', default: true },
      balance: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,6})(?:\\.[0-9]{1,2})?$', default: '0.00' },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      settings: {
        type: 'object',
        properties: { theme: { type: 'string', default: 'dark' }, size: { type: 'number' } },
        required: ['theme'],
        additionalProperties: false,
      },
    },
    required: ['id', 'token', 'at', 'role', 'count', 'active', 'balance', 'version', 'settings'],
    additionalProperties: false,
  },
  check: checkDefaults,
})

function checkDefaults(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'token':
      case 'at':
      case 'role':
      case 'count':
      case 'active':
      case 'balance':
      case 'version':
      case 'settings':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['token']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'token'], 'text')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'token')
  it = value['at']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'at')
  it = value['role']
  if (it !== undefined) {
    if (!(it === 'admin' || it === 'member')) portico.wrong(issues, [...path, 'role'], "one of 'admin', 'member'")
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'role')
  it = value['count']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'count'], 'a number')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'count')
  it = value['active']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'active'], 'true or false')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'active')
  it = value['balance']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'balance'], 'a decimal as text, with up to 9 digits and 2 after the point')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'balance')
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['settings']
  if (it !== undefined) {
    checkDefaultsSettings(it, [...path, 'settings'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'settings')
}

function checkDefaultsSettings(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'theme':
      case 'size':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['theme']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'theme'], 'text')
  } else if (mode !== 'insert') portico.missing(issues, path, 'theme')
  it = value['size']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'size'], 'a number')
  }
}
