/**
 * What a declaration says of values and objects beyond what a database can tell: sync notes it, so that a later
 * declaration which says something else is seen. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Column, Group } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../../contract/plan.ts'

export interface TableFacts {
  readonly groups: readonly GroupFact[]
  /** By the names of columns. */
  readonly rules: Readonly<Record<string, ValueRules>>
  /** Columns that were kept although nothing declared them. */
  readonly kept: readonly string[]
  /** Those of them that were required in an optional object. Absent where there are none. */
  readonly keptRequired?: readonly string[]
}

/** A flattened object. */
export interface GroupFact {
  readonly path: string
  readonly optional: boolean
  /** Of an optional one: the column that is NULL exactly when the object is absent. */
  readonly presence?: string
  /** The columns inside of it, those of objects within it included. */
  readonly columns: readonly string[]
  /** Those that have a value wherever the object is there. */
  readonly required: readonly string[]
}

/** What a column holds beyond its type. */
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

/** Whether a column has a value wherever this object is there: neither it nor an object in between may be absent. */
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

/** Whether two notes say the same, whatever order an engine has put their names into. */
export function isSameNote(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

/** What is noted of a table: what its declaration says, and what is known of that which stays without one. */
export function noteFacts(plan: TablePlan, known: TableFacts | undefined, kept: readonly string[]): TableFacts {
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

/** Whether the last declaration that had a column required it in an optional object. */
function wasRequired(name: string, known: TableFacts | undefined): boolean {
  if (known?.kept.includes(name)) return known.keptRequired?.includes(name) === true
  return known?.groups.some((it) => it.optional && it.required.includes(name)) === true
}

/** The same with the names that columns have from now on. */
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

/** Whether a record says of everything that is declared what the declaration says. */
export function isNoted(plan: TablePlan, known: TableFacts | undefined): boolean {
  if (!known) return false
  const { groups, rules } = describeFacts(plan)
  return (
    groups.every((group) => known.groups.some((it) => isSameNote(it, group))) &&
    Object.entries(rules).every(([name, it]) => Object.hasOwn(known.rules, name) && isSameNote(known.rules[name], it))
  )
}
