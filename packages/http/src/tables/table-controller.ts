import type { Tables, Where } from '@portico/db'
import type { AnyTable, Table } from '@portico/schema/runtime'
import { http } from '../decorators/keys.ts'
import { RouteError } from '../errors.ts'
import type { AnyDecorator } from '../metadata.ts'
import type { HttpRequest } from '../request.ts'
import { type Guard, joinPath, type Metadata, type RouteDefinition, type RouteGroup } from '../route.ts'
import { describeOperations, type OperationDescription, type TableOperation } from './describe-operations.ts'
import { TableHandlers } from './table-handlers.ts'
import { TableStore } from './table-store.ts'
import { TableView } from './table-view.ts'

const allOperations: readonly TableOperation[] = ['getOne', 'findMany', 'insert', 'replace', 'update', 'delete']

export interface TableControllerOptions<P> {
  /** The database that the table is in. */
  readonly db: Tables
  /** The path of the routes. Default: the table's physical name. */
  readonly route?: string
  /** Default: all of them. */
  readonly operations?: readonly TableOperation[]
  /** Decides about each request before anything else is looked at. */
  readonly guard?: Guard
  /**
   * The condition that every operation is confined to, for each request: what does not fit it cannot be read, changed,
   * deleted or written. Plain values in it are filled in where an insert leaves the field out. `{}` is everything.
   */
  readonly scope?: (request: HttpRequest) => Where<P> | Promise<Where<P>>
  /**
   * The relations that `$with` may read. The scope of this table says nothing about theirs, so the default is none
   * where there is a guard or a scope, and all otherwise.
   */
  readonly relations?: readonly string[]
  /** How many records `findMany` answers when it is not asked for a number. Default 100. */
  readonly defaultLimit?: number
  /** How many records `findMany` answers at most. Default 1000. */
  readonly maxLimit?: number
  /** How many records an insert takes at most. Default 1000. */
  readonly maxInsert?: number
  /** Decorators of a controller, such as those for the API description. */
  readonly decorators?: readonly AnyDecorator[]
}

/**
 * The routes of a table.
 *
 * ```ts
 * app.register(tableController(Task, { db, route: 'tasks', scope: (request) => ({ ownerId: userOf(request).id }) }))
 * ```
 */
export function tableController<R, I, U, K, P>(
  table: Table<R, I, U, K, P>,
  options: TableControllerOptions<P>,
): RouteGroup {
  const view = new TableView(table)
  const handlers = createHandlers(view, options)
  const operations = options.operations ?? allOperations
  const prefix = joinPath('/', options.route ?? table.table)
  const controllerMetadata = readDecorators(table, options.decorators ?? [])
  const routes = describeOperations(view, relationsOf(view, options))
    .filter((it) => operations.includes(it.operation))
    .map((it) => createRoute(it, { prefix, handlers, controllerMetadata, guard: options.guard, name: table.name }))
  return Object.freeze({ kind: 'routes', name: table.name, routes })
}

function createHandlers<P>(view: TableView, options: TableControllerOptions<P>): TableHandlers {
  const { db, scope, defaultLimit = 100, maxLimit = 1000, maxInsert = 1000 } = options
  const limits = { defaultLimit, maxLimit, relations: new Set(relationsOf(view, options)) }
  return new TableHandlers({ view, store: new TableStore(db, view), limits, maxInsert, scope })
}

interface RouteContext {
  readonly prefix: string
  readonly handlers: TableHandlers
  readonly controllerMetadata: Metadata
  readonly guard: Guard | undefined
  readonly name: string
}

function createRoute(description: OperationDescription, context: RouteContext): RouteDefinition {
  const { operation, method, path, inputs, responses, label } = description
  const { prefix, handlers, controllerMetadata, guard, name } = context
  return Object.freeze({
    kind: 'route',
    method,
    path: joinPath(prefix, path),
    inputs,
    consumes: ['application/json'],
    ...(operation === 'insert' && { status: 201 }),
    responses,
    guards: guard ? [guard] : [],
    controllerMetadata,
    metadata: { label },
    source: { controller: `tableController(${name})`, handler: operation },
    handler: (_, request) => handlers[operation](request),
  } satisfies RouteDefinition)
}

function relationsOf<P>(view: TableView, { relations, guard, scope }: TableControllerOptions<P>): readonly string[] {
  const unknown = relations?.find((it) => !view.relations.has(it))
  if (unknown !== undefined) {
    throw new RouteError('TABLE_ROUTES_INVALID', `table \`${view.declaration.name}\` has no relation \`${unknown}\``)
  }
  return relations ?? (guard || scope ? [] : [...view.relations.keys()])
}

/** What decorators would say if they stood on the class of this controller. */
function readDecorators(table: AnyTable, decorators: readonly AnyDecorator[]): Metadata {
  const controller = class {}
  http.apply(...decorators)(controller)
  const { title: label, description } = table.jsonSchema as { title?: string; description?: string }
  return {
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...http.read(controller),
  }
}
