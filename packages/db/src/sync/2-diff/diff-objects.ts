/**
 * Compares optional objects, which are stored in columns. An object is absent if all of its columns are NULL: a value
 * in one of them creates it, and NULL in a required one hides or breaks it. Pure.
 */
import type { PlanColumn } from '../../contract/table-plan.ts'
import { optionalAround } from '../../table/describe-table.ts'
import type { TableMatch } from '../1-read/match-tables.ts'
import { describeFacts, type GroupFact, type TableFacts } from '../1-read/table-facts.ts'
import type { Difference, Presence } from './difference.ts'

export function diffObjects(match: TableMatch): Difference[] {
  const { plan, before, record, columns } = match
  if (!before) return []
  const now = describeFacts(plan)
  const known = record?.facts
  const currentNameOf = (name: string): string | undefined => {
    const column = plan.columns.find((it) => it.name === name)
    return column && columns.get(column)
  }
  const differences: Difference[] = []
  for (const group of now.groups) {
    const former = known && findFormer(group, known, currentNameOf)
    const was = presenceOf(group, former, known, currentNameOf)
    if (group.optional) {
      for (const name of group.required) {
        const column = plan.columns.find((it) => it.name === name)!
        // Columns of a nested optional object are compared with that object.
        if (optionalAround(column, plan)?.path !== group.path) continue
        const currentName = currentNameOf(name)
        if (currentName === undefined || isRequiredIn(former, currentName)) continue
        const isRestored = known?.keptRequired?.includes(currentName) === true
        differences.push({ kind: 'requireInObject', column, currentName, group: group.path, within: was, isRestored })
      }
    } else if (former?.optional && was !== 'always' && group.required.length === 0) {
      differences.push({ kind: 'requireObject', group: group.path, was })
    }
  }
  return differences
}

/** The rows that contain the innermost optional object around a column; `undefined` for columns outside of objects. */
export function presenceAround(
  column: PlanColumn,
  match: Pick<TableMatch, 'plan' | 'record' | 'columns'>,
): Presence | undefined {
  const { plan, record, columns } = match
  const around = optionalAround(column, plan)
  if (!around) return undefined
  const group = describeFacts(plan).groups.find((it) => it.path === around.path)!
  const currentNameOf = (name: string): string | undefined => {
    const found = plan.columns.find((it) => it.name === name)
    return found && columns.get(found)
  }
  const known = record?.facts
  return presenceOf(group, known && findFormer(group, known, currentNameOf), known, currentNameOf)
}

type CurrentNameOf = (name: string) => string | undefined

function isRequiredIn(group: GroupFact | undefined, column: string): boolean {
  return group?.optional === true && group.required.includes(column)
}

/** The former object: the one at the same path, or else one at the same depth that shares a column. */
function findFormer(group: GroupFact, { groups }: TableFacts, currentNameOf: CurrentNameOf): GroupFact | undefined {
  const depth = (path: string): number => path.split('.').length
  const own = group.columns.flatMap((it) => currentNameOf(it) ?? [])
  return (
    groups.find((it) => it.path === group.path) ??
    groups.find((it) => depth(it.path) === depth(group.path) && it.columns.some((name) => own.includes(name)))
  )
}

function presenceOf(
  group: GroupFact,
  former: GroupFact | undefined,
  known: TableFacts | undefined,
  currentNameOf: CurrentNameOf,
): Presence {
  // Not recorded: a value in any of its columns shows that it is present.
  if (!former) return group.columns.flatMap((it) => currentNameOf(it) ?? [])
  if (former.optional) return former.presence === undefined ? [] : [former.presence]
  const around = known!.groups
    .filter((it) => it.optional && former.path.startsWith(`${it.path}.`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
  return around?.presence === undefined ? 'always' : [around.presence]
}
