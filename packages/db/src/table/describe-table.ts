import type { ForeignKey, Group, Storage } from '@portico/schema/model'
import type { ColumnSnapshot, ForeignKeySnapshot, TableSnapshot } from '../contract/snapshot.ts'
import type { Capabilities } from '../contract/storage.ts'
import { type PlanColumn, type TablePlan } from '../contract/table-plan.ts'
import { encodeColumn } from '../values/row-mapping.ts'
import { toIndexName, toTableName } from '../values/table-name.ts'

/** The snapshot of a declared table. Sync compares it with the snapshot of the existing table. */
export function describeTable(
  plan: TablePlan,
  supports: Pick<Capabilities, 'schemas' | 'autoIncrementAnyColumn'>,
): TableSnapshot {
  return {
    tableName: plan.tableName,
    columns: plan.columns.map((column) => describeColumn(column, plan, supports)),
    key: plan.key.map((it) => it.name),
    indexes: plan.declaration.indexes.map((index) => ({
      name: toIndexName(index.name, plan),
      unique: index.unique,
      columns: index.columns.map(({ column, order }) => ({ name: column, order })),
      isValid: true,
    })),
    foreignKeys: describeForeignKeys(plan, supports.schemas),
  }
}

export function describeForeignKeys({ declaration }: TablePlan, hasSchemas: boolean): ForeignKeySnapshot[] {
  return declaration.foreignKeys.map((it) => describeForeignKey(it, hasSchemas))
}

export function describeForeignKey(foreignKey: ForeignKey, hasSchemas: boolean): ForeignKeySnapshot {
  const { constraint, columns, references, onDelete, onUpdate } = foreignKey
  const tableName = toTableName(references, hasSchemas)
  return { name: constraint, columns, tableName, references: references.columns, onDelete, onUpdate }
}

export function describeColumn(
  column: PlanColumn,
  plan: TablePlan,
  supports: Pick<Capabilities, 'autoIncrementAnyColumn'>,
): ColumnSnapshot {
  const { model, storage } = column
  const literal = storedDefault(column, plan)
  const preset = literal === undefined ? undefined : writeDefault(encodeColumn(column, literal))
  return {
    name: column.name,
    type: storage.type,
    storage: model.storage,
    ...(model.precision && { precision: model.precision }),
    nullable: column.nullable,
    ...(preset !== undefined && { default: canonicalDefault(preset, model.storage) }),
    autoIncrement:
      model.default?.kind === 'increment' && (supports.autoIncrementAnyColumn || isSingleKey(column, plan)),
  }
}

/**
 * The literal default that the database itself has. Columns of an optional object have none: when an older program, which
 * does not know the column, stores a record without the object, the default would create the object.
 */
export function storedDefault(column: PlanColumn, plan: TablePlan): string | number | boolean | undefined {
  const preset = column.model.default
  return preset?.kind === 'value' && !optionalAround(column, plan) ? preset.value : undefined
}

/** Engines that store arrays and objects natively encode them as such; a snapshot has text. */
function writeDefault(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isSingleKey(column: PlanColumn, { key }: TablePlan): boolean {
  return key.length === 1 && key[0] === column && column.model.storage === 'integer'
}

/** One text for equal defaults: an engine may report the declared 1.5 as 1.50 or '1.5'. */
export function canonicalDefault(text: string, storage: Storage | undefined): string {
  if (storage === 'text' || storage === 'json' || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return text
  if (/e/i.test(text) || storage !== 'decimal') return String(Number(text))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The innermost optional object that contains the column. */
export function optionalAround(column: PlanColumn, { declaration }: TablePlan): Group | undefined {
  return declaration.groups
    .filter((it) => it.optional && column.path.startsWith(`${it.path}.`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}
