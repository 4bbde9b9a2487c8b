import type { AnyTable } from '@portico/schema/runtime'
import type { Adapter } from '../contract/adapter.ts'
import type {
  CountOperation,
  DeleteOperation,
  Filter,
  FindOperation,
  InsertOperation,
  Junction,
  UpdateOperation,
  UpsertOperation,
} from '../contract/operation.ts'
import { type PlanColumn, type TablePlan } from '../contract/table-plan.ts'
import { createRowReader, createRowWriter, type RowReader, type RowWriter } from '../values/row-mapping.ts'
import { ShapeCache } from './shape-cache.ts'
import { createTablePlan } from './table-plan.ts'
import { assignStamps, type UpdateShape, UpdateShapes } from './update-shapes.ts'

export interface FindShape {
  readonly operation: FindOperation
  readonly read: RowReader
}

export interface InsertShape {
  readonly operation: InsertOperation
  readonly write: RowWriter
  /** Reads the written row. A generated auto-increment value is at its end. */
  readonly read: RowReader
}

interface Replacement {
  readonly shape: UpdateShape
  readonly write: RowWriter
}

/** A table with a cache of operations, one for each shape of a call. */
export class PreparedTable {
  readonly plan: TablePlan
  readonly #finds: ShapeCache<FindShape> = new ShapeCache()
  readonly #findsVia = new WeakMap<TablePlan, ShapeCache<FindShape>>()
  readonly counts: ShapeCache<CountOperation> = new ShapeCache()
  readonly updates: ShapeCache<UpdateOperation> = new ShapeCache()
  readonly updateShapes: UpdateShapes
  readonly deletes: ShapeCache<DeleteOperation> = new ShapeCache()
  readonly upserts: ShapeCache<UpsertOperation> = new ShapeCache()
  #findByKey: FindShape | undefined
  #deleteByKey: DeleteOperation | undefined
  #countByKey: CountOperation | undefined
  #insertAutoIncrement: InsertShape | undefined
  #insertGiven: InsertShape | undefined
  #replacement: Replacement | undefined

  constructor(declaration: AnyTable, adapter: Adapter) {
    this.plan = createTablePlan(declaration, adapter)
    this.updateShapes = new UpdateShapes(this.plan)
  }

  /** The cache of finds. Each junction has its own, since two can be declared under one name. */
  findsVia(via: Junction | undefined): ShapeCache<FindShape> {
    if (!via) return this.#finds
    let finds = this.#findsVia.get(via.plan)
    if (!finds) {
      finds = new ShapeCache()
      this.#findsVia.set(via.plan, finds)
    }
    return finds
  }

  /** The values of the key are in the slots from 0 on. */
  get findByKey(): FindShape {
    this.#findByKey ??= this.createFind({ filter: this.keyFilter(0), single: true })
    return this.#findByKey
  }

  get deleteByKey(): DeleteOperation {
    this.#deleteByKey ??= { kind: 'delete', plan: this.plan, filter: this.keyFilter(0) }
    return this.#deleteByKey
  }

  get countByKey(): CountOperation {
    this.#countByKey ??= { kind: 'count', plan: this.plan, filter: this.keyFilter(0) }
    return this.#countByKey
  }

  /** An insert for which the engine generates the auto-increment value. */
  get insertAutoIncrement(): InsertShape {
    const { columns, autoIncrement } = this.plan
    this.#insertAutoIncrement ??= this.#createInsert(
      columns.filter((it) => it !== autoIncrement),
      autoIncrement,
    )
    return this.#insertAutoIncrement
  }

  /** An insert with a value for every column. */
  get insertGiven(): InsertShape {
    this.#insertGiven ??= this.#createInsert(this.plan.columns, undefined)
    return this.#insertGiven
  }

  /** All columns that `replaceOne` writes: not the key, and not those that the table layer sets. */
  get replacement(): Replacement {
    this.#replacement ??= createReplacement(this.plan)
    return this.#replacement
  }

  /** The update of a record by its key and, if given, its version. */
  updateByKey(shape: UpdateShape, isVersioned: boolean): UpdateOperation {
    const known = isVersioned ? shape.byKeyAndVersion : shape.byKey
    if (known) return known
    const { plan } = this
    const slot = shape.set.length + plan.updated.length
    const filter = isVersioned ? this.#versionFilter(slot) : this.keyFilter(slot)
    const made: UpdateOperation = Object.freeze({ kind: 'update', plan, set: assignStamps(plan, shape.set), filter })
    shape[isVersioned ? 'byKeyAndVersion' : 'byKey'] = made
    return made
  }

  #versionFilter(slot: number): Filter {
    const { version, key } = this.plan
    const byVersion = { kind: 'compare', column: version!, operator: '=', slot: slot + key.length } as const
    const byKey = this.keyFilter(slot)
    return { kind: 'and', filters: [...(byKey.kind === 'and' ? byKey.filters : [byKey]), byVersion] }
  }

  /** Matches the key with the values from `slot` on. */
  keyFilter(slot: number): Filter {
    const parts = this.plan.key.map(
      (column, index) => ({ kind: 'compare', column, operator: '=', slot: slot + index }) as const,
    )
    return parts.length === 1 ? parts[0]! : { kind: 'and', filters: parts }
  }

  createFind(part: Partial<FindOperation> & { readonly selected?: readonly PlanColumn[] }): FindShape {
    const { selected = this.plan.columns, ...rest } = part
    const operation: FindOperation = Object.freeze({
      kind: 'find',
      plan: this.plan,
      columns: selected,
      filter: undefined,
      via: undefined,
      order: [],
      single: false,
      limit: undefined,
      offset: undefined,
      ...rest,
    })
    return { operation, read: createRowReader(selected, this.plan.declaration.groups) }
  }

  #createInsert(columns: readonly PlanColumn[], autoIncrement: PlanColumn | undefined): InsertShape {
    const stored = autoIncrement ? [...columns, autoIncrement] : columns
    return {
      operation: Object.freeze({ kind: 'insert', plan: this.plan, columns, autoIncrement }),
      write: createRowWriter(columns, 'insert'),
      read: createRowReader(stored, this.plan.declaration.groups),
    }
  }
}

function createReplacement(plan: TablePlan): Replacement {
  const columns = plan.columns.filter((it) => !it.model.key && !it.model.generated)
  const set = columns.map((column, slot) => ({ kind: 'value', column, slot }) as const)
  return { shape: { id: 0, set }, write: createRowWriter(columns, 'replace') }
}
