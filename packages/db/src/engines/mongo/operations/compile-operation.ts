import type {
  CountOperation,
  DeleteOperation,
  Filter,
  FindOperation,
  InsertOperation,
  Operation,
  Order,
  UpdateOperation,
  UpsertOperation,
} from '../../../contract/operation.ts'
import type { Row } from '../../../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import type { Document } from '../client/driver.ts'
import { createDocumentReader, createDocumentWriter, createUpdate, layoutOf, setOwn } from '../documents/document.ts'
import { type Condition, compileFilter } from './compile-filter.ts'
import { sortDecimal } from './decimal.ts'
import type { Backtracking } from './like.ts'
import { simplifyFilter } from './simplify-filter.ts'

type Sort = Record<string, 1 | -1>

export interface CompiledFind {
  readonly filter: Condition
  readonly projection: Document | undefined
  readonly sort: Sort | undefined
  /** Computed sort fields, which need an aggregation instead of a `find`. */
  readonly computed: Document | undefined
  readonly read: (document: Document) => Row
}

export interface CompiledWrite {
  readonly filter: Condition
  readonly update: (params: readonly unknown[]) => Document
  /** True if it writes at most one document, which the driver can retry safely. */
  readonly isSingle: boolean
}

export interface CompiledUpsert extends CompiledWrite {
  readonly write: (row: Row) => Document
  readonly key: (params: readonly unknown[]) => Document
  readonly read: (document: Document) => Row
}

/** Operations, compiled once and kept as long as the operation. */
export class CompiledOperations {
  readonly #made = new WeakMap<Operation, unknown>()
  readonly #compile: CompileCondition

  constructor(backtracking: Backtracking) {
    this.#compile = (filter, plan) =>
      filter ? compileFilter(simplifyFilter(filter), layoutOf(plan).pathOf, backtracking) : () => ({})
  }

  find(operation: FindOperation): CompiledFind {
    return this.#once(operation, () => compileFind(operation, this.#compile))
  }

  count(operation: CountOperation): Condition {
    return this.#once(operation, () => this.#compile(operation.filter, operation.plan))
  }

  insert(operation: InsertOperation): (row: Row) => Document {
    const { plan, columns, autoIncrement } = operation
    return this.#once(operation, () =>
      createDocumentWriter(plan, autoIncrement ? [...columns, autoIncrement] : columns),
    )
  }

  write(operation: UpdateOperation | DeleteOperation): CompiledWrite {
    return this.#once(operation, () => {
      const { plan, filter } = operation
      const update = operation.kind === 'update' ? createUpdate(plan, operation.set) : () => ({})
      return { filter: this.#compile(filter, plan), update, isSingle: isByKey(filter, plan) }
    })
  }

  upsert(operation: UpsertOperation): CompiledUpsert {
    return this.#once(operation, () => compileUpsert(operation, this.#compile))
  }

  #once<T>(operation: Operation, make: () => T): T {
    let made = this.#made.get(operation) as T | undefined
    if (made === undefined) {
      made = make()
      this.#made.set(operation, made)
    }
    return made
  }
}

type CompileCondition = (filter: Filter | undefined, plan: TablePlan) => Condition

function compileFind({ plan, columns, filter, order }: FindOperation, compile: CompileCondition): CompiledFind {
  return {
    filter: compile(filter, plan),
    projection: compileProjection(plan, columns),
    ...compileSort(plan, order),
    read: createDocumentReader(plan, columns),
  }
}

/** Projects whole top-level fields: reading unused parts of them costs less than listing every path. */
function compileProjection(plan: TablePlan, columns: readonly PlanColumn[]): Document | undefined {
  if (columns.length >= plan.columns.length) return undefined
  const names = columns.map((it) => [layoutOf(plan).partsOf(it)[0]!, 1])
  return { _id: 0, ...Object.fromEntries(names) }
}

/** The temporary object for computed fields in a pipeline. */
const ORDER = 'portico__order'

function compileSort(plan: TablePlan, order: readonly Order[]): Pick<CompiledFind, 'sort' | 'computed'> {
  const sort: Sort = {}
  const computed: Document = {}
  for (const { column, direction } of order) {
    const path = layoutOf(plan).pathOf(column)
    const step = direction === 'asc' ? 1 : -1
    if (column.model.type !== 'decimal') setOwn(sort, path, step)
    else {
      for (const [expression, way] of sortDecimal(path, step)) {
        const name = `by${Object.keys(computed).length}`
        computed[name] = expression
        sort[`${ORDER}.${name}`] = way
      }
    }
  }
  const isComputed = Object.keys(computed).length > 0
  return { sort: order.length > 0 ? sort : undefined, computed: isComputed ? { [ORDER]: computed } : undefined }
}

/** True if a filter matches on the whole key. */
function isByKey(filter: Filter | undefined, { key }: TablePlan): boolean {
  const parts = filter?.kind === 'and' ? filter.filters : [filter]
  const hasColumn = (column: PlanColumn): boolean =>
    parts.some((it) => it?.kind === 'compare' && it.operator === '=' && it.column === column)
  return key.length > 0 && key.every(hasColumn)
}

function compileUpsert(
  { plan, columns, overwrite, version }: UpsertOperation,
  compile: CompileCondition,
): CompiledUpsert {
  const { pathOf } = layoutOf(plan)
  const slotOf = (column: PlanColumn): number => columns.indexOf(column)
  const byKey: Filter = {
    kind: 'and',
    filters: plan.key.map((column) => ({ kind: 'compare', column, operator: '=', slot: slotOf(column) })),
  }
  const byVersion: Filter[] =
    version?.slot === undefined ? [] : [{ kind: 'compare', column: version.column, operator: '=', slot: version.slot }]
  const given = overwrite.map((column) => ({ kind: 'value', column, slot: slotOf(column) }) as const)
  const raised = version ? [{ kind: 'increment', column: version.column } as const] : []
  const update = createUpdate(plan, [...given, ...raised])
  const kept = columns.filter((it) => !overwrite.includes(it) && it !== version?.column && !it.model.key)
  const write = createDocumentWriter(plan, columns)
  return {
    filter: compile({ kind: 'and', filters: [byKey, ...byVersion] }, plan),
    key: compile(byKey, plan),
    isSingle: true,
    write,
    read: createDocumentReader(plan, plan.columns),
    update(params) {
      // MongoDB refuses an empty update, so a table with only a key needs this too.
      const onInsert: Document = { _id: write(params)['_id'] }
      for (const column of kept) {
        const value = params[slotOf(column)]
        if (value !== null) setOwn(onInsert, pathOf(column), value)
      }
      return { ...update(params), $setOnInsert: onInsert }
    },
  }
}
