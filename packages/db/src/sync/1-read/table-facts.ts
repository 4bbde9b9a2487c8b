/**
 * Details of a declaration that the database itself does not show, such as value rules and optional objects. Sync
 * stores them, so that it notices when a later declaration differs. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Column, Group } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../../contract/table-plan.ts'

/** Stored as JSON, so the field names are part of the storage format. */
export interface TableFacts {
  readonly groups: readonly GroupFact[]
  /** By column name. */
  readonly rules: Readonly<Record<string, ValueRules>>
  /** Columns that were kept although they were no longer declared. */
  readonly kept: readonly string[]
  /** Those of them that were required in an optional object. Missing if the list is empty. */
  readonly keptRequired?: readonly string[]
}

/** A flattened object. */
export interface GroupFact {
  readonly path: string
  readonly optional: boolean
  /** For an optional object: the column that is NULL exactly when the object is absent. */
  readonly presence?: string
  /** Its columns, including those of nested objects. */
  readonly columns: readonly string[]
  /** Columns that have a value whenever the object is present. */
  readonly required: readonly string[]
}

/** Rules for the values of a column beyond its type. */
export type ValueRules = Partial<Pick<Column, 'integer' | 'values' | 'subtype' | 'element' | 'shape' | 'expect'>>

export function describeFacts(plan: TablePlan): Pick<TableFacts, 'groups' | 'rules'> {
  return {
    groups: plan.declaration.groups.map((group) => describeGroup(group, plan)),
    rules: Object.fromEntries(plan.columns.map((it) => [it.name, rulesOf(it)])),
  }
}

function describeGroup({ path, optional, presence }: Group, plan: TablePlan): GroupFact {
  const inside = plan.columns.filter((it) => it.path.startsWith(`${path}.`))
  return {
    path,
    optional,
    ...(presence !== undefined && { presence }),
    columns: inside.map((it) => it.name),
    required: inside.filter((it) => isRequiredIn(it, path, plan)).map((it) => it.name),
  }
}

/** True if a column always has a value when the object is present: neither it nor an object in between is optional. */
function isRequiredIn(column: PlanColumn, path: string, { declaration }: TablePlan): boolean {
  if (column.model.optional || column.model.allowsNull) return false
  return !declaration.groups.some(
    (it) => it.optional && it.path.startsWith(`${path}.`) && column.path.startsWith(`${it.path}.`),
  )
}

export function rulesOf({ model }: PlanColumn): ValueRules {
  const { integer, values, subtype, element, shape, expect } = model
  return {
    ...(integer && { integer }),
    ...(values && { values }),
    ...(subtype && { subtype }),
    ...(element && { element }),
    ...(shape && { shape }),
    ...(expect && { expect }),
  }
}

/** Compares as JSON and ignores the order of properties, which engines may change. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(normalize(one), normalize(other))
}

function normalize(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

/** The facts to store: those of the declaration, and the known ones of columns that are kept without a declaration. */
export function updateFacts(plan: TablePlan, known: TableFacts | undefined, kept: readonly string[]): TableFacts {
  const now = describeFacts(plan)
  const others = (known?.groups ?? []).filter(
    (it) => !now.groups.some(({ path }) => path === it.path) && it.columns.some((name) => kept.includes(name)),
  )
  const rules = Object.entries(known?.rules ?? {}).filter(([name]) => kept.includes(name))
  const keptRequired = kept.filter((name) => wasRequired(name, known))
  return {
    groups: [...now.groups, ...others],
    rules: { ...Object.fromEntries(rules), ...now.rules },
    kept,
    ...(keptRequired.length > 0 && { keptRequired }),
  }
}

/** True if the last declaration that had the column required it in an optional object. */
function wasRequired(name: string, known: TableFacts | undefined): boolean {
  if (known?.kept.includes(name)) return known.keptRequired?.includes(name) === true
  return known?.groups.some((it) => it.optional && it.required.includes(name)) === true
}

/** The same facts under the new names of columns. */
export function renameFacts(facts: TableFacts, renamed: ReadonlyMap<string, string>): TableFacts {
  const { groups, rules, kept, keptRequired } = facts
  const nameOf = (name: string): string => renamed.get(name) ?? name
  return {
    groups: groups.map((it) => ({
      ...it,
      ...(it.presence !== undefined && { presence: nameOf(it.presence) }),
      columns: it.columns.map(nameOf),
      required: it.required.map(nameOf),
    })),
    rules: Object.fromEntries(Object.entries(rules).map(([name, it]) => [nameOf(name), it])),
    kept: kept.map(nameOf),
    ...(keptRequired && { keptRequired: keptRequired.map(nameOf) }),
  }
}

/** False if the stored facts lack something that is declared, or differ from it. */
export function areFactsCurrent(plan: TablePlan, known: TableFacts | undefined): boolean {
  if (!known) return false
  const { groups, rules } = describeFacts(plan)
  return (
    groups.every((group) => known.groups.some((it) => isSameJson(it, group))) &&
    Object.entries(rules).every(([name, it]) => Object.hasOwn(known.rules, name) && isSameJson(known.rules[name], it))
  )
}
