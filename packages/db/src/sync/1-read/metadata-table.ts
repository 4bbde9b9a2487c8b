/** What sync remembers in the database itself: which tables it made, and what it has begun. */
import { type AnyTable, defineTable, type TableDefinition } from '@portico/schema/runtime'
import type { Adapter, Session } from '../../contract/adapter.ts'
import type { DeleteOperation, FindOperation, UpsertOperation } from '../../contract/operation.ts'
import { type TablePlan } from '../../contract/plan.ts'
import type { TableSnapshot } from '../../contract/snapshot.ts'
import { createTablePlan } from '../../table/table-plan.ts'
import { encodeColumn } from '../../values/row-mapping.ts'
import type { TableFacts } from './table-facts.ts'

/** A table as sync made it. */
export interface TableRecord {
  /** The declaration's name. */
  readonly declaration: string
  /** As declared. */
  readonly schema?: string
  readonly table: string
  readonly snapshot: TableSnapshot
  /** What the declaration said beyond the snapshot. Absent where an earlier version of sync wrote the record. */
  readonly facts?: TableFacts
  /** Which program made it: tables that were synced together have the same mark. */
  readonly program?: string
  /** Under which name it is kept, of one that was read. */
  readonly noted?: string
}

export const REGISTRY = 'portico__tables'
export const JOURNAL = 'portico__journal'

const name: TableDefinition['columns'][number] = {
  path: 'name',
  name: 'name',
  type: 'string',
  storage: 'text',
  key: true,
}
const content: TableDefinition['columns'][number] = {
  path: 'content',
  name: 'content',
  type: 'json',
  storage: 'json',
  shape: 'object',
}

const ownDeclarations = new WeakSet<object>()

/** Whether a table is one of sync's own: only those may have the names that sync reserves. */
export function isOwnDeclaration(declaration: AnyTable): boolean {
  return ownDeclarations.has(declaration)
}

function declare(table: string): AnyTable {
  const definition = { name: table, table, key: ['name'], columns: [name, content], jsonSchema: {}, check: () => {} }
  const declaration = defineTable<object, object, object, object, object>(definition)
  ownDeclarations.add(declaration)
  return declaration
}

/** A table of names with something kept under each: read and written by the operations that every engine has. */
export class Notes {
  readonly plan: TablePlan
  readonly #find: FindOperation
  readonly #upsert: UpsertOperation
  readonly #delete: DeleteOperation

  constructor(table: string, adapter: Adapter) {
    const plan = createTablePlan(declare(table), adapter)
    const [key, value] = plan.columns
    this.plan = plan
    this.#find = {
      kind: 'find',
      plan,
      columns: plan.columns,
      filter: undefined,
      via: undefined,
      order: [{ column: key!, direction: 'asc' }],
      single: false,
      limit: undefined,
      offset: undefined,
    }
    this.#upsert = { kind: 'upsert', plan, columns: plan.columns, overwrite: [value!], version: undefined }
    const isNamed = { kind: 'compare', column: key!, operator: '=', slot: 0 } as const
    this.#delete = { kind: 'delete', plan, filter: isNamed }
  }

  async read(session: Session): Promise<ReadonlyMap<string, unknown>> {
    const rows = await session.find(this.#find, [])
    const decode = this.plan.columns[1]!.storage.decode ?? ((value: unknown) => value)
    return new Map(rows.map((row) => [row[0] as string, decode(row[1])]))
  }

  async write(session: Session, noted: string, value: unknown): Promise<void> {
    await session.upsert(this.#upsert, this.encode(noted, value))
  }

  async remove(session: Session, noted: string): Promise<void> {
    await session.write(this.#delete, [noted])
  }

  encode(noted: string, value: unknown): unknown[] {
    return [noted, encodeColumn(this.plan.columns[1]!, value)]
  }
}
