/**
 * Optional objects that are kept in columns: which rows have one, before a sync and after it. An object is absent when
 * all of its columns are NULL, so that a value in one of them makes it, and NULL in the wrong one hides or breaks it.
 * Pure.
 */
import type { PlanColumn } from '../../contract/plan.ts'
import { optionalAround } from '../../table/describe-table.ts'
import type { TableMatch } from '../1-read/match-tables.ts'
import { describeFacts, type GroupFact, type TableFacts } from '../1-read/table-facts.ts'
import type { Difference } from './diff.ts'

/** In which rows an object is there: in all, or where one of these columns, by their present names, has a value. */
export type Presence = 'always' | readonly string[]

/** What changes about the objects of a table, beyond its columns. */
export function diffObjects(match: TableMatch): Difference[] {
  const { plan, before, record, columns } = match
  if (!before) return []
  const now = describeFacts(plan)
  const known = record?.facts
  const presentName = (name: string): string | undefined => {
    const column = plan.columns.find((it) => it.name === name)
    return column && columns.get(column)
  }
  const found: Difference[] = []
  for (const group of now.groups) {
    const former = known && findFormer(group, known, presentName)
    const was = presenceOf(group, former, known, presentName)
    if (group.optional) {
      for (const name of group.required) {
        const column = plan.columns.find((it) => it.name === name)!
        // An object further inside has a look at its own.
        if (optionalAround(column, plan)?.path !== group.path) continue
        const present = presentName(name)
        if (present === undefined || isRequiredIn(former, present)) continue
        const isBack = known?.keptRequired?.includes(present) === true
        found.push({ kind: 'requireInside', column, present, group: group.path, within: was, isBack })
      }
    } else if (former?.optional && was !== 'always' && group.required.length === 0) {
      found.push({ kind: 'makeObject', group: group.path, was })
    }
  }
  return found
}

/** In which rows the innermost optional object around a column was there; nothing for a column that is in none. */
export function presenceAround(
  column: PlanColumn,
  match: Pick<TableMatch, 'plan' | 'record' | 'columns'>,
): Presence | undefined {
  const { plan, record, columns } = match
  const around = optionalAround(column, plan)
  if (!around) return undefined
  const group = describeFacts(plan).groups.find((it) => it.path === around.path)!
  const presentName = (name: string): string | undefined => {
    const found = plan.columns.find((it) => it.name === name)
    return found && columns.get(found)
  }
  const known = record?.facts
  return presenceOf(group, known && findFormer(group, known, presentName), known, presentName)
}

type PresentName = (name: string) => string | undefined

function isRequiredIn(group: GroupFact | undefined, column: string): boolean {
  return group?.optional === true && group.required.includes(column)
}

/** The object as it was: of the same path, or else the one on the same level that had one of its columns. */
function findFormer(group: GroupFact, { groups }: TableFacts, presentName: PresentName): GroupFact | undefined {
  const depth = (path: string): number => path.split('.').length
  const own = group.columns.flatMap((it) => presentName(it) ?? [])
  return (
    groups.find((it) => it.path === group.path) ??
    groups.find((it) => depth(it.path) === depth(group.path) && it.columns.some((name) => own.includes(name)))
  )
}

function presenceOf(
  group: GroupFact,
  former: GroupFact | undefined,
  known: TableFacts | undefined,
  presentName: PresentName,
): Presence {
  // Nobody noted it: a value in any of its columns shows that it is there.
  if (!former) return group.columns.flatMap((it) => presentName(it) ?? [])
  if (former.optional) return former.presence === undefined ? [] : [former.presence]
  const around = known!.groups
    .filter((it) => it.optional && former.path.startsWith(`${it.path}.`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
  return around?.presence === undefined ? 'always' : [around.presence]
}
