import type {
  Filter,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../../contract/operation.ts'
import type { TablePlan } from '../../contract/plan.ts'
import type { Row } from '../../contract/storage.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Statement } from '../../sql/statement.ts'
import { compileRows, type MysqlServer } from './dialect.ts'

/** What a server can do, as it was asked at the opening. */
export interface Features {
  /** Whether an insert can give stored values back. */
  readonly returning: boolean
  /** How far apart counted numbers are. */
  readonly step: number
  /** How many bytes a statement may have with its values. */
  readonly mostBytes: number
  readonly server: MysqlServer
  /** Whether `Users` and `users` are one table. */
  readonly foldsNames: boolean
}

/** An upsert as three operations on the same parameters: there is no statement that looks at the key alone. */
interface Upsert {
  readonly update: UpdateOperation
  readonly insert: InsertOperation
  readonly find: FindOperation
}

/** The statements of all sessions of one pool: compiled once for each operation and kept as long as that is. */
export class Statements {
  readonly features: Features
  readonly dialect: Dialect
  readonly #compiled = new WeakMap<Operation, Statement>()
  readonly #rows = new WeakMap<InsertOperation, Map<number, string>>()
  readonly #upserts = new WeakMap<UpsertOperation, Upsert>()
  /** Tables whose counter was found at its end in a transaction, with the insert that found it. */
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
  // A bare key has nothing to overwrite, but must still find the row.
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

/** How many values, and how many bytes, go with one statement that stores several rows. */
const MOST_VALUES = 2048
const MOST_BYTES = 1 << 20

/** Rows in parts whose lengths are powers of two, so that few statements serve all lengths. */
export function splitRows(rows: readonly Row[], width: number, mostBytes: number): (readonly Row[])[] {
  const most = 2 ** Math.floor(Math.log2(Math.max(1, MOST_VALUES / Math.max(1, width))))
  const bytes = Math.min(MOST_BYTES, mostBytes - 32)
  const parts: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; ) {
    let length = Math.min(most, 2 ** Math.floor(Math.log2(rows.length - start)))
    while (length > 1 && measure(rows, start, length) > bytes) length /= 2
    parts.push(rows.slice(start, start + length))
    start += length
  }
  return parts
}

/** Whether these values alone have more bytes than that. */
export function isLarger(values: readonly unknown[], most: number): boolean {
  const texts = values.filter((it) => typeof it === 'string')
  // Hardly ever is there reason to count: a character of JavaScript is three bytes at most.
  if (texts.reduce((sum, it) => sum + it.length, 0) * 3 <= most) return false
  return texts.reduce((sum, it) => sum + Buffer.byteLength(it), 0) > most
}

/** At most how many bytes these rows take: a value twelve, and a character of JavaScript three. */
function measure(rows: readonly Row[], start: number, length: number): number {
  let size = 0
  for (let index = start; index < start + length; index++) {
    for (const value of rows[index]!) size += 12 + (typeof value === 'string' ? value.length * 3 : 0)
  }
  return size
}
