import type { Tables, Where } from '@portico/db'
import type { AnyTable, Table } from '@portico/schema/runtime'
import { checkOptions } from '../check-options.ts'
import { type HttpMetadata, http } from '../decorators/keys.ts'
import { RouteError } from '../errors.ts'
import type { AnyDecorator } from '../metadata.ts'
import type { HttpRequest } from '../request.ts'
import {
  type Guard,
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

/** Parts of paths that are routes of their own; a record with such a key is reached by `?id=`. */
const fixedNames: readonly string[] = ['one', 'query']

const allOperations: readonly TableOperation[] = ['getOne', 'findMany', 'insert', 'replace', 'update', 'delete']

export interface TableControllerOptions<R, D = never> {
  /** The database that the table is in. */
  readonly db: Tables
  /** The path of the routes. Default: the table's physical name. */
  readonly route?: string
  /** Default: all of them. */
  readonly operations?: readonly TableOperation[]
  /**
   * Decides about each request before anything else is looked at: one guard for all operations, or
   * `{ read, insert, update, delete, default }`. An operation that is on and has none of these is a `RouteError`.
   */
  readonly guard?: Guard | OperationGuards
  /**
   * The condition that every operation is confined to, for each request: what does not fit it cannot be read, changed,
   * deleted or written. Plain values in it are filled in where an insert leaves the field out. `{}` is everything.
   */
  readonly scope?: (request: HttpRequest) => Where<R, D> | Promise<Where<R, D>>
  /**
   * The relations that `$with` may read. Default: those to tables that the app lets be read by routes of their own.
   * Whether named or not, the guard and scope of such routes hold for what is read along. A table that has no routes has
   * no rules either: name a relation to it only when everybody who gets here may read all of it.
   */
  readonly relations?: readonly string[]
  /** How many records each list of related records has at most. Default 100. */
  readonly maxRelated?: number
  /** How many records `findMany` answers when it is not asked for a number. Default 100. */
  readonly defaultLimit?: number
  /** How many records `findMany` answers at most. Default 1000. */
  readonly maxLimit?: number
  /** How many records an insert takes at most. Default 1000. */
  readonly maxInsert?: number
  /**
   * The auto-increment fields and time stamps that an insert may bring along, as imports do. Default: none, so that an
   * insert with one of them is a 400. Versions can never be accepted.
   */
  readonly accepts?: readonly string[]
  /** Decorators of a controller, such as those for the API description; a `Guard` among them comes before `guard`. */
  readonly decorators?: readonly AnyDecorator[]
}

const fieldNames = listOf(nonEmptyString, 'a list of field names')
const operationNames = listOf(oneOf(...allOperations), `a list of ${allOperations.join(', ')}`)

const optionRules: OptionRules<TableControllerOptions<unknown>> = {
  db: required(withMethods(['table'], 'an open database')),
  route: expecting('a path', (value) => typeof value === 'string'),
  operations: operationNames,
  guard: defined(guardOrGuards),
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
 * The routes of a table. Options that are unknown or make no sense are a `RouteError`.
 *
 * ```ts
 * app.register(tableController(Task, { db, route: 'tasks', scope: (request) => ({ ownerId: userOf(request).id }) }))
 * ```
 */
export function tableController<R, I, U, K, P, L, D>(
  table: Table<R, I, U, K, P, L, D>,
  options: TableControllerOptions<R, D>,
): RouteGroup {
  if ((table as Partial<AnyTable> | undefined)?.kind !== 'table') {
    throw new RouteError(
      'OPTIONS_INVALID',
      'tableController takes a declared table: tableController(Task, { db })',
    )
  }
  const place = `tableController(${table.name}, …)`
  checkOptions(options, optionRules, place)
  const view = new TableView(table)
  const operations = options.operations ?? allOperations
  const prefix = joinPath('/', options.route ?? table.table)
  const controllerMetadata = readDecorators(table, options.decorators ?? [])
  const operationGuards = readGuards(options.guard, operations, place)
  const guardsOf = (operation: TableOperation): readonly Guard[] => [
    ...(controllerMetadata.guards ?? []),
    ...(operationGuards.get(operation) ?? []),
  ]
  const reading = readingGuards(operations, guardsOf)
  const serverSet = readServerSet(view, options.accepts ?? [])
  const among = (served: readonly ServedTable[]): RouteDefinition[] => {
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
  const group = { kind: 'routes', name: table.name, routes: among([serves]) } as const
  // Not copied along by who makes a group of other routes of this one: these are the rules of these routes alone.
  return Object.freeze(Object.defineProperties(group, { serves: { value: serves }, among: { value: among } }))
}

/** Both reading operations have the same guards. Where neither is on, whoever reads the table has to pass all others. */
function readingGuards(
  operations: readonly TableOperation[],
  guardsOf: (operation: TableOperation) => readonly Guard[],
): readonly Guard[] {
  const reading = operations.filter((it) => it === 'getOne' || it === 'findMany')
  return [...new Set((reading.length > 0 ? reading : operations).flatMap(guardsOf))]
}

function describeServing<R, D>(
  table: AnyTable,
  operations: readonly TableOperation[],
  { db, guards, scope }: TableControllerOptions<R, D> & { readonly guards: readonly Guard[] },
): ServedTable {
  const readsMany = operations.includes('findMany')
  return Object.freeze({ table, db, readsOne: operations.includes('getOne') || readsMany, readsMany, guards, scope })
}

function createRelated<R, D>(
  view: TableView,
  options: TableControllerOptions<R, D> & Pick<RelatedOptions, 'guards' | 'served'>,
): RelatedRecords {
  const { db, guards, served, relations, maxRelated = 100 } = options
  return new RelatedRecords({ view, db, named: relations, served, guards, most: maxRelated })
}

function createHandlers<R, D>(
  view: TableView,
  options: TableControllerOptions<R, D>,
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
    ...(operation === 'insert' && { status: 201 }),
    ...(path === '/:id' && { reserved: { parameter: 'id', values: fixedNames } }),
    responses,
    guards,
    controllerMetadata,
    metadata: { label },
    source: { controller: `${TABLE_ROUTES}(${name})`, handler: operation },
    handler: (_, request) => handlers[operation](request),
  } satisfies RouteDefinition)
}

/** What decorators would say if they stood on the class of this controller. */
function readDecorators(table: AnyTable, decorators: readonly AnyDecorator[]): Metadata & HttpMetadata {
  const controller = class {}
  http.apply(...decorators)(controller)
  const { title: label, description } = table.jsonSchema as { title?: string; description?: string }
  return {
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...http.read(controller),
  }
}
