import type { Column } from '@portico/schema/model'
import { type RequestIssue, RouteError, validationFailed } from '../errors.ts'
import type { ResolvedType } from '../types.ts'
import { type Fields, type TableView, withoutProperty } from './table-view.ts'

/**
 * The fields that callers cannot set on insert: auto-increment fields, versions and time stamps. Otherwise one caller could
 * push a sequence or a version to its maximum, for everybody.
 */
export interface ServerSet {
  /** Refuses records that set such a field. */
  refuse(body: unknown): void
  /** The type of an insert's input. */
  readonly insertType: ResolvedType
}

/** `accepts` names the fields that callers may set after all. A wrong name in it is a `RouteError`. */
export function readServerSet(view: TableView, accepts: readonly string[]): ServerSet {
  const known = view.declaration.columns.filter(isServerSet)
  for (const name of accepts) checkAccepted(view, name)
  const refused = known.map((it) => it.path).filter((it) => !accepts.includes(it))
  const paths = refused.map((it) => it.split('.'))
  return {
    refuse(body) {
      const issues: RequestIssue[] = []
      if (Array.isArray(body)) for (const [index, it] of body.entries()) addIssues(paths, it, [index], issues)
      else addIssues(paths, body, [], issues)
      if (issues.length > 0) throw validationFailed(issues)
    },
    insertType: describeInsert(view, paths, accepts),
  }
}

function isServerSet({ generated, default: preset }: Column): boolean {
  return generated !== undefined || preset?.kind === 'increment'
}

function checkAccepted({ declaration }: TableView, name: string): void {
  const refusal = (message: string): RouteError =>
    new RouteError('OPTIONS_INVALID', `tableController(${declaration.name}, …): \`accepts\`: ${message}`)
  const column = declaration.columns.find((it) => it.path === name)
  if (!column) throw refusal(`\`${name}\` is not a field of the table`)
  if (column.generated === 'version') throw refusal(`\`${name}\` is a version, which callers can never set`)
  if (!isServerSet(column))
    throw refusal(`callers can set \`${name}\` already; the option is for auto-increment fields and time stamps`)
}

function addIssues(
  paths: readonly (readonly string[])[],
  record: unknown,
  at: readonly number[],
  issues: RequestIssue[],
): void {
  for (const path of paths) {
    if (!has(record, path)) continue
    issues.push({ in: 'body', path: [...at, ...path], code: 'readOnly', message: 'is set by the server: leave it out' })
  }
}

function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name!)) return false
  return rest.length === 0 || has((value as Fields)[name!], rest)
}

/** With its own name: `…Insert` is the table's own input type, which other routes of the app may use. */
function describeInsert(
  { declaration }: TableView,
  refused: readonly (readonly string[])[],
  accepts: readonly string[],
): ResolvedType {
  const { insertSchema, name } = declaration
  if (refused.length === 0) return { kind: 'schema', schema: insertSchema }
  const root = insertSchema.jsonSchema
  const schema = refused.reduce((it, path) => withoutProperty(it, path, it), root)
  const suffix = accepts.length === 0 ? '' : `With${[...accepts].sort().map(capitalize).join('')}`
  return { kind: 'json-schema', name: `${name}Create${suffix}`, schema }
}

function capitalize(path: string): string {
  return path
    .split('.')
    .map((it) => it.charAt(0).toUpperCase() + it.slice(1))
    .join('')
}
