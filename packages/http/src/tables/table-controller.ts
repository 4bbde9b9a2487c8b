import type { Queryable, Where } from '@portico/db'
import type { AnyTable, TableDeclaration } from '@portico/schema/runtime'
import { checkOptions } from '../check-options.ts'
import { type HttpMetadata, http } from '../decorators/keys.ts'
import { RouteError } from '../errors.ts'
import type { AnyDecorator } from '../metadata.ts'
import { readGuardOption, readPath } from '../option-aliases.ts'
import type { HttpRequest } from '../request.ts'
import {
  type Guard,
  type Guards,
  joinPath,
  type Metadata,
  type RouteDefinition,
  type RouteGroup,
  type ServedTable,
  TABLE_ROUTES,
} from '../route.ts'
import {
  anyFunction,
  anything,
  expecting,
  listOf,
  nonEmptyString,
  nonNegativeInteger,
  oneOf,
  withMethods,
} from '../shared/option-checks.ts'
import { defined, type OptionRules, required } from '../shared/options.ts'
import { describeOperations, type OperationDescription, type TableOperation } from './describe-operations.ts'
import { guardOrGuards, type OperationGuards, readGuards } from './operation-guards.ts'
import { type RelatedOptions, RelatedRecords } from './related.ts'
import { readServerSet, type ServerSet } from './server-set.ts'
import { TableHandlers } from './table-handlers.ts'
import { TableStore } from './table-store.ts'
import { TableView } from './table-view.ts'

/** Path segments that are routes themselves. A record with such a key is addressed with `?id=`. */
const fixedNames: readonly string[] = ['one', 'query']

const allOperations: readonly TableOperation[] = ['getOne', 'findMany', 'insert', 'replace', 'update', 'delete']

export interface TableControllerOptions<Row, Decimals = never> {
  /** The database that holds the table. */
  readonly db: Queryable
  /** The path of the routes. Default: the table's name in the database. */
  readonly path?: string | undefined
  /** Another name for `path`. */
  readonly route?: string | undefined
  /** The operations to serve. Default: all. */
  readonly operations?: readonly TableOperation[] | undefined
  /**
   * Runs before the request is read: one guard or a list for all operations, or guards by kind of operation,
   * `{ read, insert, update, delete, default }`. An operation without a guard is a `RouteError` then. `undefined` and
   * an empty list are refused: they would leave the table open.
   */
  readonly guard?: Guards | OperationGuards
  /** Another name for `guard`. */
  readonly guards?: Guards | OperationGuards
  /**
   * Row-level access: returns the condition that every operation of this request is limited to. Records outside of it
   * cannot be read, changed, deleted or written. An insert gets the plain values of the condition where it leaves the
   * field out. `{}` allows every record. `undefined` in place of the function is refused.
   */
  readonly scope?: (request: HttpRequest) => Where<Row, Decimals> | Promise<Where<Row, Decimals>>
  /**
   * The relations that `$with` may load. Default: those to tables that have readable routes in the same app. In both
   * cases the guard and scope of those routes apply to the loaded records. A table without routes has no access rules:
   * name a relation to it only if every caller of this table may read all of it.
   */
  readonly relations?: readonly string[] | undefined
  /** The maximum length of each list of related records. Default 100. */
  readonly maxRelated?: number | undefined
  /** The page size of `findMany` without `$limit`. Default 100. */
  readonly defaultLimit?: number | undefined
  /** The maximum page size of `findMany`. Default 1000. */
  readonly maxLimit?: number | undefined
  /** The maximum number of records in one insert. Default 1000. */
  readonly maxInsert?: number | undefined
  /**
   * The auto-increment fields and time stamps that an insert may set, as imports do. Default: none; an insert with one
   * of them is a 400. Versions can never be accepted.
   */
  readonly accepts?: readonly string[] | undefined
  /** Controller decorators, such as those for the API description. A `Guard` among them runs before `guard`. */
  readonly decorators?: readonly AnyDecorator[] | undefined
}

const path = expecting('a path', (value) => typeof value === 'string')
const fieldNames = listOf(nonEmptyString, 'a list of field names')
const operationNames = listOf(oneOf(...allOperations), `a list of ${allOperations.join(', ')}`)

const optionRules: OptionRules<TableControllerOptions<unknown>> = {
  db: required(withMethods(['table'], 'an open database')),
  path,
  route: path,
  operations: operationNames,
  guard: defined(guardOrGuards),
  guards: defined(guardOrGuards),
  scope: defined(anyFunction),
  relations: fieldNames,
  maxRelated: nonNegativeInteger,
  defaultLimit: nonNegativeInteger,
  maxLimit: nonNegativeInteger,
  maxInsert: nonNegativeInteger,
  accepts: fieldNames,
  decorators: anything,
}

/**
 * The CRUD routes of a table. An unknown or wrong option is a `RouteError`.
 *
 * ```ts
 * app.register(tableController(Task, { db, path: 'tasks', scope: (request) => ({ ownerId: userOf(request).id }) }))
 * ```
 */
export function tableController<Row, Insert, Update, Key, Replace, Relations, Decimals>(
  table: TableDeclaration<Row, Insert, Update, Key, Replace, Relations, Decimals>,
  options: TableControllerOptions<Row, Decimals>,
): RouteGroup {
  if ((table as Partial<AnyTable> | undefined)?.kind !== 'table') {
    throw new RouteError('OPTIONS_INVALID', 'tableController needs a declared table: tableController(Task, { db })')
  }
  const place = `tableController(${table.name}, …)`
  checkOptions(options, optionRules, place)
  const view = new TableView(table)
  const operations = options.operations ?? allOperations
  const prefix = joinPath('/', readPath(options, place) ?? table.table)
  const controllerMetadata = readDecorators(table, options.decorators ?? [])
  const operationGuards = readGuards(readGuardOption<Guards | OperationGuards>(options, place), operations, place)
  const guardsOf = (operation: TableOperation): readonly Guard[] => [
    ...(controllerMetadata.guards ?? []),
    ...(operationGuards.get(operation) ?? []),
  ]
  const reading = readingGuards(operations, guardsOf)
  const serverSet = readServerSet(view, options.accepts ?? [])
  const bind = (served: readonly ServedTable[]): RouteDefinition[] => {
    const related = createRelated(view, { ...options, guards: reading, served })
    const handlers = createHandlers(view, options, { related, serverSet })
    return describeOperations(view, related.offered, serverSet.insertType)
      .filter((it) => operations.includes(it.operation))
      .map((it) => {
        const guards = guardsOf(it.operation)
        return createRoute(it, { prefix, handlers, controllerMetadata, guards, name: table.name })
      })
  }
  const serves = describeServing(table, operations, { ...options, guards: reading })
  const group = { kind: 'routes', name: table.name, routes: bind([serves]) } as const
  // Not enumerable, so that a spread of the group does not copy the access rules of these routes.
  return Object.freeze(Object.defineProperties(group, { serves: { value: serves }, bind: { value: bind } }))
}

/** The guards of `getOne` and `findMany`. If neither is served, reading through a relation has to pass all the others. */
function readingGuards(
  operations: readonly TableOperation[],
  guardsOf: (operation: TableOperation) => readonly Guard[],
): readonly Guard[] {
  const reading = operations.filter((it) => it === 'getOne' || it === 'findMany')
  return [...new Set((reading.length > 0 ? reading : operations).flatMap(guardsOf))]
}

function describeServing<Row, Decimals>(
  table: AnyTable,
  operations: readonly TableOperation[],
  {
    db,
    guards,
    scope,
  }: Pick<TableControllerOptions<Row, Decimals>, 'db' | 'scope'> & { readonly guards: readonly Guard[] },
): ServedTable {
  const readsMany = operations.includes('findMany')
  return Object.freeze({ table, db, readsOne: operations.includes('getOne') || readsMany, readsMany, guards, scope })
}

function createRelated(
  view: TableView,
  options: Pick<TableControllerOptions<unknown>, 'db' | 'relations' | 'maxRelated'> &
    Pick<RelatedOptions, 'guards' | 'served'>,
): RelatedRecords {
  const { db, guards, served, relations, maxRelated = 100 } = options
  return new RelatedRecords({ view, db, named: relations, served, guards, max: maxRelated })
}

function createHandlers<Row, Decimals>(
  view: TableView,
  options: TableControllerOptions<Row, Decimals>,
  parts: { readonly related: RelatedRecords; readonly serverSet: ServerSet },
): TableHandlers {
  const { db, scope, defaultLimit = 100, maxLimit = 1000, maxInsert = 1000 } = options
  const limits = { defaultLimit, maxLimit }
  return new TableHandlers({ view, store: new TableStore(db, view), limits, maxInsert, scope, ...parts })
}

interface RouteContext {
  readonly prefix: string
  readonly handlers: TableHandlers
  readonly controllerMetadata: Metadata
  readonly guards: readonly Guard[]
  readonly name: string
}

function createRoute(description: OperationDescription, context: RouteContext): RouteDefinition {
  const { operation, method, path, inputs, responses, label } = description
  const { prefix, handlers, controllerMetadata, guards, name } = context
  return Object.freeze({
    kind: 'route',
    method,
    path: joinPath(prefix, path),
    inputs,
    consumes: ['application/json'],
    status: operation === 'insert' ? 201 : undefined,
    reserved: path === '/:id' ? { parameter: 'id', values: fixedNames } : undefined,
    responses,
    guards,
    controllerMetadata,
    metadata: { label },
    source: { controller: `${TABLE_ROUTES}(${name})`, handler: operation },
    handler: (_, request) => handlers[operation](request),
  } satisfies RouteDefinition)
}

/** The metadata that the decorators would write on a controller class. */
function readDecorators(table: AnyTable, decorators: readonly AnyDecorator[]): Metadata & HttpMetadata {
  const controller = class {}
  http.apply(...decorators)(controller)
  const { title: label, description } = table.jsonSchema as { title?: string; description?: string }
  return { label, description, ...http.read(controller) }
}
