/** Describes a step for people, classifies it, and names its consent. */

import type { ColumnSnapshot, ForeignKeySnapshot } from '../../contract/snapshot.ts'
import type { PlanColumn, TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf, formatTableName, toIndexName } from '../../values/table-name.ts'
import { backfillValue, describeBackfill } from '../2-diff/backfill.ts'
import { classifyConversion } from '../2-diff/classify-conversion.ts'
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import { foreignKeyName } from '../2-diff/kept-parts.ts'
import { type Postcheck, type StepClass, stepKinds, type Touches } from './steps.ts'

export interface StepText {
  readonly name: string
  readonly description: string
  readonly postcheck: Postcheck
}

/** Checking values is not a step. */
export type StepDifference = Exclude<Difference, { kind: 'checkValues' }>

export function describeStep(difference: StepDifference, plan: TablePlan): StepText {
  const table = declaredNameOf(plan)
  const ofTable = (description: string, is: Postcheck['is']): StepText => ({
    name: table,
    description,
    postcheck: { table, is },
  })
  const ofColumn = (column: string, description: string, is: Postcheck['is']): StepText => ({
    name: `${table}.${column}`,
    description,
    postcheck: { table, column, is },
  })
  const ofPart = (part: 'index' | 'foreignKey', name: string, description: string, is: Postcheck['is']): StepText => ({
    name,
    description,
    postcheck: { table, [part]: name, is },
  })
  switch (difference.kind) {
    case 'createTable':
      return ofTable(`create table ${table}`, 'there')
    case 'adoptTable':
      return ofTable(`adopt table ${table}`, 'there')
    case 'renameTable':
      return ofTable(`rename table ${formatTableName(difference.from)} to ${table}`, 'there')
    case 'changeKey':
      return ofTable(describeKey(plan, table), 'as declared')
    case 'addColumn':
      return ofColumn(difference.column.name, describeAdded(difference, table), 'there')
    case 'requireInObject': {
      const { name } = difference.column
      return ofColumn(name, `make ${table}.${name} required in ${difference.group}`, 'as declared')
    }
    case 'requireObject': {
      const { group } = difference
      return {
        name: `${table}.${group}`,
        description: `make ${table}.${group} required`,
        postcheck: { table, is: 'as declared' },
      }
    }
    case 'renameColumn': {
      const { name } = difference.column
      return ofColumn(name, `rename column ${table}.${difference.from} to ${name}`, 'there')
    }
    case 'dropColumn':
      return ofColumn(difference.before.name, `drop column ${table}.${difference.before.name}`, 'gone')
    case 'changeType':
    case 'requireColumn':
    case 'allowNull':
    case 'changeDefault':
    case 'changeAutoIncrement':
      return ofColumn(difference.after.name, describeChange(difference, table), 'as declared')
    case 'createIndex': {
      const { unique, columns } = difference.index
      const description = `create ${unique ? 'unique ' : ''}index on ${table} (${columns.map((it) => it.column).join(', ')})`
      return ofPart('index', toIndexName(difference.index.name, plan), description, 'there')
    }
    case 'renameIndex':
      return ofPart('index', difference.to, `rename index ${difference.from} to ${difference.to}`, 'there')
    case 'dropIndex':
      return ofPart('index', difference.name, `drop index ${difference.name}`, 'gone')
    case 'addForeignKey': {
      const { constraint, columns, references } = difference.foreignKey
      const description = `add foreign key from ${table} (${columns.join(', ')}) to ${references.table}${showActions(difference.foreignKey)}`
      return ofPart('foreignKey', constraint, description, 'there')
    }
    case 'renameForeignKey':
      return ofPart('foreignKey', difference.to, `rename foreign key ${difference.from} to ${difference.to}`, 'there')
    case 'dropForeignKey': {
      const name = foreignKeyName(difference.foreignKey, table)
      return ofPart('foreignKey', name, `drop foreign key ${name}${showActions(difference.foreignKey)}`, 'gone')
    }
  }
}

/** The actions are often the only difference between two foreign keys. `restrict` is the default. */
function showActions({ onDelete, onUpdate }: Pick<ForeignKeySnapshot, 'onDelete' | 'onUpdate'>): string {
  const show = (when: string, action: string): string => (action === 'restrict' ? '' : `, on ${when} ${action}`)
  return show('delete', onDelete) + show('update', onUpdate)
}

function describeKey({ key }: TablePlan, table: string): string {
  if (key.length === 0) return `remove the primary key of ${table}`
  return `change the primary key of ${table} to (${key.map((it) => it.name).join(', ')})`
}

type ColumnChange = Extract<
  Difference,
  { readonly kind: 'changeType' | 'requireColumn' | 'allowNull' | 'changeDefault' | 'changeAutoIncrement' }
>

function describeChange({ kind, before, after }: ColumnChange, table: string): string {
  const name = `${table}.${after.name}`
  switch (kind) {
    case 'changeType':
      return `change the type of ${name} from ${showType(before)} to ${showType(after)}`
    case 'requireColumn':
      return `make ${name} required`
    case 'allowNull':
      return `make ${name} optional`
    case 'changeDefault':
      if (after.default === undefined) return `remove the default of ${name}`
      return before.default === undefined ? `add a default to ${name}` : `change the default of ${name}`
    case 'changeAutoIncrement':
      return after.autoIncrement ? `add auto-increment to ${name}` : `remove auto-increment from ${name}`
  }
}

function describeAdded({ column, after }: Extract<Difference, { kind: 'addColumn' }>, table: string): string {
  // Literal defaults and first versions need no mention.
  const isComputed = column.model.default?.kind !== 'value' && column.model.generated !== 'version'
  const fill =
    isComputed && backfillValue(column) !== undefined ? `; existing rows get ${describeBackfill(column)}` : ''
  return `add column ${table}.${after.name} (${showType(after)}${after.nullable ? ', optional' : ''}${fill})`
}

/** The column type, with the storage if the type alone does not show it. */
function showType({ type, storage, precision }: ColumnSnapshot): string {
  const kind = precision ? `${storage} ${precision.precision},${precision.scale}` : storage
  return kind === undefined || type.toLowerCase() === kind ? type : `${type} (${kind})`
}

export function classOf(
  difference: StepDifference,
  { nulls = 0 }: Touches,
  { record, columns }: TableDifference,
): StepClass {
  // An interrupted sync did not fill the column, so its NULLs are not user data.
  const isUnfinished = ({ column }: { readonly column: PlanColumn }): boolean =>
    record !== undefined && !record.snapshot.columns.some((it) => it.name === columns.get(column))
  if (difference.kind === 'changeType') {
    const conversion = classifyConversion(difference.before, difference.after)
    if (conversion === 'convert') return 'data'
    return conversion === 'widening' || conversion === 'same' ? 'widening' : 'destructive'
  }
  if (difference.kind === 'requireColumn' || difference.kind === 'requireInObject') {
    const isRestored = difference.kind === 'requireInObject' && difference.isRestored
    return nulls > 0 && !isRestored && !isUnfinished(difference) ? 'destructive' : 'additive'
  }
  return stepKinds[difference.kind].classes[0]!
}

/** The entry in `allow` that permits the step. */
export function consentOf(difference: StepDifference, stepClass: StepClass, name: string): string {
  switch (difference.kind) {
    case 'adoptTable':
      return `adopt ${name}`
    case 'renameTable':
      return `move ${difference.movedFrom}`
    case 'changeKey':
      return `rekey ${name}`
    case 'changeType':
      return `${stepClass === 'data' ? 'convert' : 'narrow'} ${name}`
    case 'requireColumn':
    case 'requireInObject':
      return `require ${name}`
    case 'requireObject':
      return `convert ${name}`
    case 'addColumn':
      return `add ${name}`
    default:
      return `drop ${name}`
  }
}
