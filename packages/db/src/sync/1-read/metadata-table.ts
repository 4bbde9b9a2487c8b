/** The tables in which sync keeps its own records: which tables it created, and which changes it has started. */
import { type AnyTable, defineTable, type TableDefinition } from '@portico/schema/runtime'
import type { Adapter, Session } from '../../contract/adapter.ts'
import type { DeleteOperation, FindOperation, UpsertOperation } from '../../contract/operation.ts'
import type { TableSnapshot } from '../../contract/snapshot.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { createTablePlan } from '../../table/table-plan.ts'
import { encodeColumn } from '../../values/row-mapping.ts'
import { type TableJson, tableFromJson, tableToJson } from '../../values/snapshot-json.ts'
import type { TableFacts } from './table-facts.ts'

/** A table that sync created or adopted. */
export interface TableRecord {
  /** The name of the declared interface. */
  readonly declaration: string
  /** The declared schema. */
  readonly schema?: string
  readonly table: string
  readonly snapshot: TableSnapshot
  /** Details of the declaration that a snapshot does not show. Missing in records of earlier versions of sync. */
  readonly facts?: TableFacts
  /** Identifies the program that created the table: tables that are synced together share it. */
  readonly program?: string
  /** The key in the registry. Set when the record is read, and not stored. */
  readonly key?: string
}

type RecordJson = Omit<TableRecord, 'snapshot' | 'key'> & { readonly snapshot: TableJson }

export function recordToJson(record: TableRecord): RecordJson {
  const { key: _, snapshot, ...rest } = record
  return { ...rest, snapshot: tableToJson(snapshot) }
}

export function recordFromJson(key: string, json: unknown): TableRecord {
  const { snapshot, ...rest } = json as RecordJson
  return { ...rest, key, snapshot: tableFromJson(snapshot) }
}

/** The table as it was declared: `users`, `auth.users`. */
export function recordLabel({ schema, table }: TableRecord): string {
  return schema === undefined ? table : `${schema}.${table}`
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

/** True for sync's own tables. No other table may use the names that sync reserves. */
export function isOwnDeclaration(declaration: AnyTable): boolean {
  return ownDeclarations.has(declaration)
}

function declare(table: string): AnyTable {
  const definition = { name: table, table, key: ['name'], columns: [name, content], jsonSchema: {}, check: () => {} }
  const declaration = defineTable<object, object, object, object, object>(definition)
  ownDeclarations.add(declaration)
  return declaration
}

/** A key-value table, read and written by the operations that every engine has. */
export class MetadataTable {
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
    const hasName = { kind: 'compare', column: key!, operator: '=', slot: 0 } as const
    this.#delete = { kind: 'delete', plan, filter: hasName }
  }

  async read(session: Session): Promise<ReadonlyMap<string, unknown>> {
    const rows = await session.find(this.#find, [])
    const decode = this.plan.columns[1]!.storage.decode ?? ((value: unknown) => value)
    return new Map(rows.map((row) => [row[0] as string, decode(row[1])]))
  }

  async write(session: Session, entry: string, value: unknown): Promise<void> {
    await session.upsert(this.#upsert, this.encode(entry, value))
  }

  async remove(session: Session, entry: string): Promise<void> {
    await session.write(this.#delete, [entry])
  }

  encode(entry: string, value: unknown): unknown[] {
    return [entry, encodeColumn(this.plan.columns[1]!, value)]
  }
}
