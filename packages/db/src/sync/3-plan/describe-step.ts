/** What a difference is called and told as. */
import { type PlanColumn, type TablePlan } from '../../contract/plan.ts'
import { type ColumnSnapshot, type ForeignKeySnapshot } from '../../contract/snapshot.ts'
import { declaredNameOf, formatTableName, toIndexName } from '../../values/table-name.ts'
import { classifyConversion } from '../2-diff/classify-conversion.ts'
import type { Difference, TableDifference } from '../2-diff/diff.ts'
import { fillOf, tellFill } from '../2-diff/fill.ts'
import { type Postcheck, type StepClass, stepKinds, type Touches } from './steps.ts'

export interface StepText {
  readonly name: string
  readonly told: string
  readonly postcheck: Postcheck
}

/** What can be a step: to look at values is none. */
export type StepDifference = Exclude<Difference, { kind: 'checkValues' }>

/** A difference in words. */
export function describeStep(difference: StepDifference, plan: TablePlan): StepText {
  const table = declaredNameOf(plan)
  const ofTable = (told: string, is: Postcheck['is']): StepText => ({ name: table, told, postcheck: { table, is } })
  const ofColumn = (column: string, told: string, is: Postcheck['is']): StepText => ({
    name: `${table}.${column}`,
    told,
    postcheck: { table, column, is },
  })
  const ofPart = (part: 'index' | 'foreignKey', name: string, told: string, is: Postcheck['is']): StepText => ({
    name,
    told,
    postcheck: { table, [part]: name, is },
  })
  switch (difference.kind) {
    case 'createTable':
      return ofTable(`create table ${table}`, 'there')
    case 'adoptTable':
      return ofTable(`take over table ${table}, which sync did not make`, 'there')
    case 'renameTable':
      return ofTable(`rename table ${formatTableName(difference.from)} to ${table}`, 'there')
    case 'changeKey':
      return ofTable(`make ${plan.key.map((it) => it.name).join(', ') || 'nothing'} the key of ${table}`, 'as declared')
    case 'addColumn':
      return ofColumn(difference.column.name, tellAdded(difference, table), 'there')
    case 'requireInside': {
      const { name } = difference.column
      return ofColumn(name, `make ${table}.${name} required in ${difference.group}`, 'as declared')
    }
    case 'makeObject': {
      const { group } = difference
      return {
        name: `${table}.${group}`,
        told: `make ${table}.${group} required`,
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
    case 'relaxColumn':
    case 'changeDefault':
    case 'changeCounting':
      return ofColumn(difference.after.name, tellChange(difference, table), 'as declared')
    case 'createIndex': {
      const { unique, columns } = difference.index
      const told = `create ${unique ? 'unique ' : ''}index on ${table} (${columns.map((it) => it.column).join(', ')})`
      return ofPart('index', toIndexName(difference.index.name, plan), told, 'there')
    }
    case 'renameIndex':
      return ofPart('index', difference.to, `rename index ${difference.from} to ${difference.to}`, 'there')
    case 'dropIndex':
      return ofPart('index', difference.name, `drop index ${difference.name}`, 'gone')
    case 'addForeignKey': {
      const { constraint, columns, references } = difference.foreignKey
      const told = `add foreign key ${table} (${columns.join(', ')}) to ${references.table}${showActions(difference.foreignKey)}`
      return ofPart('foreignKey', constraint, told, 'there')
    }
    case 'renameForeignKey':
      return ofPart('foreignKey', difference.to, `rename foreign key ${difference.from} to ${difference.to}`, 'there')
    case 'dropForeignKey': {
      const name = foreignKeyName(difference.foreignKey, table)
      return ofPart('foreignKey', name, `drop foreign key ${name}${showActions(difference.foreignKey)}`, 'gone')
    }
  }
}

/** What a foreign key does beside refusing: often that is all that differs. */
function showActions({ onDelete, onUpdate }: Pick<ForeignKeySnapshot, 'onDelete' | 'onUpdate'>): string {
  const show = (when: string, action: string): string => (action === 'restrict' ? '' : `, on ${when} ${action}`)
  return show('delete', onDelete) + show('update', onUpdate)
}

function foreignKeyName({ name, columns }: ForeignKeySnapshot, table: string): string {
  return name ?? `${table} (${columns.join(', ')})`
}

type ColumnChange = Extract<
  Difference,
  { readonly kind: 'changeType' | 'requireColumn' | 'relaxColumn' | 'changeDefault' | 'changeCounting' }
>

function tellChange({ kind, before, after }: ColumnChange, table: string): string {
  const name = `${table}.${after.name}`
  switch (kind) {
    case 'changeType':
      return `change ${name} from ${showType(before)} to ${showType(after)}`
    case 'requireColumn':
      return `make ${name} required`
    case 'relaxColumn':
      return `make ${name} optional`
    case 'changeDefault':
      return after.default === undefined ? `drop the default of ${name}` : `change the default of ${name}`
    case 'changeCounting':
      return after.autoIncrement ? `count ${name}` : `count ${name} no more`
  }
}

function tellAdded({ column, after }: Extract<Difference, { kind: 'addColumn' }>, table: string): string {
  const isTold = column.model.default?.kind !== 'value' && column.model.generated !== 'version'
  const fill = isTold && fillOf(column) !== undefined ? `, with ${tellFill(column)} in rows that are there` : ''
  return `add column ${table}.${showColumn(after)}${fill}`
}

function showColumn(column: ColumnSnapshot): string {
  return `${column.name} (${showType(column)}${column.nullable ? ', optional' : ''})`
}

/** The type, and what it holds where the type alone does not tell. */
function showType({ type, storage, precision }: ColumnSnapshot): string {
  const kind = precision ? `${storage} ${precision.precision},${precision.scale}` : storage
  return kind === undefined || type.toLowerCase() === kind ? type : `${type} (${kind})`
}

export function classOf(
  difference: StepDifference,
  { nulls = 0 }: Touches,
  { record, columns }: TableDifference,
): StepClass {
  // A column that sync was cut off from filling is nobody's yet.
  const isUnfinished = ({ column }: { readonly column: PlanColumn }): boolean =>
    record !== undefined && !record.snapshot.columns.some((it) => it.name === columns.get(column))
  if (difference.kind === 'changeType') {
    const conversion = classifyConversion(difference.before, difference.after)
    if (conversion === 'convert') return 'data'
    return conversion === 'widening' || conversion === 'same' ? 'widening' : 'destructive'
  }
  if (difference.kind === 'requireColumn' || difference.kind === 'requireInside') {
    const isBack = difference.kind === 'requireInside' && difference.isBack
    return nulls > 0 && !isBack && !isUnfinished(difference) ? 'destructive' : 'additive'
  }
  return stepKinds[difference.kind].classes[0]!
}

/** The words that allow a step which needs consent. */
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
    case 'requireInside':
      return `require ${name}`
    case 'makeObject':
      return `convert ${name}`
    case 'addColumn':
      return `add ${name}`
    default:
      return `drop ${name}`
  }
}
