import { suggest } from '../shared/suggest.ts'
import { annotationSpecs } from './annotation-specs.ts'

const whole = 'write `number.int`'
const anything = 'declare its fields: `{ name: string }`'
const moment = 'write `number.timestamp` for milliseconds, or `string.datetime` for text'

/** Hints for type names from TypeScript and SQL, keyed in lower case. */
const familiarTypes: ReadonlyMap<string, string> = new Map([
  ['date', 'write `number.timestamp` or `string.datetime` for a moment, `string.date` for a day'],
  ['datetime', moment],
  ['timestamp', moment],
  ...['int', 'integer', 'bigint', 'smallint', 'serial', 'long'].map((name): [string, string] => [name, whole]),
  ...['float', 'double', 'real'].map((name): [string, string] => [name, 'write `number`']),
  ['bool', 'write `boolean`'],
  ...['text', 'varchar', 'char'].map((name): [string, string] => [name, 'write `string`']),
  ['numeric', 'write `decimal`'],
  ['uuid', 'write `string.uuid`'],
  ['email', 'write `string.email`'],
  ['url', 'write `string.url`'],
  ...['any', 'unknown', 'object', 'record', 'map'].map((name): [string, string] => [name, anything]),
  ['json', 'declare its fields and mark the field with @db.json'],
  ['jsonb', 'declare its fields and mark the field with @db.json'],
  ['undefined', 'mark the field with `?`'],
  ['void', 'mark the field with `?`'],
  ['array', 'write `string[]` for an array of strings'],
])

/** The hint for an unknown type that is known from TypeScript or SQL. */
export function hintForType(name: string): string | undefined {
  return familiarTypes.get(name.toLowerCase())
}

const familiarAnnotations: ReadonlyMap<string, string> = new Map([
  ...['primary', 'primarykey', 'pk', 'key'].map((name): [string, string] => [name, 'meta.id']),
  ...['autoincrement', 'serial', 'identity'].map((name): [string, string] => [name, 'db.default.increment']),
  ['foreignkey', 'db.rel.FK'],
  ['map', 'db.column'],
])

/** Suggestions for an unknown annotation: those with the same last part, or those below it. */
export function meantAnnotations(name: string): readonly string[] {
  const all = Object.keys(annotationSpecs)
  const last = lastPart(name).toLowerCase()
  const same = all.filter((it) => lastPart(it).toLowerCase() === last)
  if (same.length > 0) return same
  const below = all.filter((it) => it.startsWith(`${name}.`) || it.split('.').at(-2)?.toLowerCase() === last)
  if (below.length > 0) return below
  return [familiarAnnotations.get(last) ?? suggest(name, all) ?? []].flat()
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
