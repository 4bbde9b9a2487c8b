import type {
  Filter,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../../contract/operation.ts'
import type { Row } from '../../contract/storage.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Statement } from '../../sql/statement.ts'
import { compileRows, type MysqlServer } from './dialect.ts'

/** Properties of the server, read when the database is opened. */
export interface Features {
  /** True if the server has `INSERT … RETURNING`. */
  readonly returning: boolean
  /** The increment of auto-increment columns. */
  readonly step: number
  /** `max_allowed_packet`: the most bytes of a statement with its values. */
  readonly maxBytes: number
  readonly server: MysqlServer
  /** True if `Users` and `users` are the same table. */
  readonly foldsNames: boolean
}

/** An upsert as three operations on the same parameters: `ON DUPLICATE KEY` would match other unique indexes too. */
interface Upsert {
  readonly update: UpdateOperation
  readonly insert: InsertOperation
  readonly find: FindOperation
}

/** The statements of all sessions of one pool, compiled once per operation and kept as long as the operation. */
export class Statements {
  readonly features: Features
  readonly dialect: Dialect
  readonly #compiled = new WeakMap<Operation, Statement>()
  readonly #rows = new WeakMap<InsertOperation, Map<number, string>>()
  readonly #upserts = new WeakMap<UpsertOperation, Upsert>()
  /** Tables whose auto-increment ran out in a transaction, with the insert that found out. */
  readonly exhausted: Map<TablePlan, InsertOperation> = new Map()

  constructor(dialect: Dialect, features: Features) {
    this.dialect = dialect
    this.features = features
  }

  compile(operation: Operation): Statement {
    const known = this.#compiled.get(operation)
    if (known) return known
    const compiled = compileOperation(operation, this.dialect)
    this.#compiled.set(operation, compiled)
    return compiled
  }

  compileRows(operation: InsertOperation, count: number): string {
    const known = this.#rows.get(operation) ?? new Map<number, string>()
    const text = known.get(count) ?? compileRows(operation, count, this.features.returning)
    this.#rows.set(operation, known.set(count, text))
    return text
  }

  splitUpsert(operation: UpsertOperation): Upsert {
    const known = this.#upserts.get(operation)
    if (known) return known
    const split = splitUpsert(operation)
    this.#upserts.set(operation, split)
    return split
  }
}

function splitUpsert({ plan, columns, overwrite, version }: UpsertOperation): Upsert {
  const key: Filter[] = plan.key.map((column) => ({
    kind: 'compare',
    column,
    operator: '=',
    slot: columns.indexOf(column),
  }))
  const seen: Filter[] =
    version?.slot === undefined ? [] : [{ kind: 'compare', column: version.column, operator: '=', slot: version.slot }]
  // Without columns to overwrite, the update still has to find the row.
  const written = overwrite.length > 0 || version ? overwrite : plan.key.slice(0, 1)
  const set: UpdateOperation['set'] = [
    ...written.map((column) => ({ kind: 'value' as const, column, slot: columns.indexOf(column) })),
    ...(version ? [{ kind: 'increment' as const, column: version.column }] : []),
  ]
  return {
    update: { kind: 'update', plan, set, filter: { kind: 'and', filters: [...key, ...seen] } },
    insert: { kind: 'insert', plan, columns, autoIncrement: undefined },
    find: {
      kind: 'find',
      plan,
      columns: plan.columns,
      filter: { kind: 'and', filters: key },
      via: undefined,
      order: [],
      single: true,
      limit: undefined,
      offset: undefined,
    },
  }
}

/** Limits of one insert of several rows. */
const MAX_VALUES = 2048
const MAX_BYTES = 1 << 20

/** Splits rows into parts whose lengths are powers of two, so that few statements serve all lengths. */
export function splitRows(rows: readonly Row[], width: number, maxBytes: number): (readonly Row[])[] {
  const maxRows = 2 ** Math.floor(Math.log2(Math.max(1, MAX_VALUES / Math.max(1, width))))
  const bytes = Math.min(MAX_BYTES, maxBytes - 32)
  const parts: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; ) {
    let length = Math.min(maxRows, 2 ** Math.floor(Math.log2(rows.length - start)))
    while (length > 1 && measure(rows, start, length) > bytes) length /= 2
    parts.push(rows.slice(start, start + length))
    start += length
  }
  return parts
}

/** True if these values alone take more bytes. */
export function isLarger(values: readonly unknown[], maxBytes: number): boolean {
  const texts = values.filter((it) => typeof it === 'string')
  // A UTF-16 code unit takes at most three bytes, so the exact count is hardly ever needed.
  if (texts.reduce((sum, it) => sum + it.length, 0) * 3 <= maxBytes) return false
  return texts.reduce((sum, it) => sum + Buffer.byteLength(it), 0) > maxBytes
}

/** An upper bound of the bytes of these rows: twelve per value, and three per UTF-16 code unit. */
function measure(rows: readonly Row[], start: number, length: number): number {
  let size = 0
  for (let index = start; index < start + length; index++) {
    for (const value of rows[index]!) size += 12 + (typeof value === 'string' ? value.length * 3 : 0)
  }
  return size
}
