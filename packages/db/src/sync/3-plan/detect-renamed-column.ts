/** Detects that a column may have been renamed without a declaration. */
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import type { MeasureContext } from './measurement.ts'

interface SuspectedRename {
  readonly from: string
  readonly to: string
}

export function describeRename({ from, to }: SuspectedRename, { plan }: TableDifference): string {
  return `did you mean \`@db.column.renamed '${from}'\` on \`${to}\` of \`${plan.name}\`?`
}

/** A new column of the same type as the one that is dropped. */
export function findAddedMatch(difference: Difference, { differences }: TableDifference): SuspectedRename | undefined {
  if (difference.kind !== 'dropColumn') return undefined
  const { name, storage, type } = difference.before
  const added = differences.flatMap((it) => (it.kind === 'addColumn' ? [it.after] : []))
  const match = added.find((it) => it.type === type && it.storage === storage)
  return match && { from: name, to: match.name }
}

/**
 * An undeclared column of the same type that has values, which the program would no longer see. A column that was
 * already undeclared at the last sync is kept for another reason.
 */
export async function detectRenamedColumn(
  { after, column }: Extract<Difference, { kind: 'addColumn' }>,
  { kept, record, before }: TableDifference,
  { countRows }: MeasureContext,
): Promise<SuspectedRename | undefined> {
  for (const part of kept) {
    if (part.kind !== 'column' || record?.facts?.kept.includes(part.column.name)) continue
    const { name, type, storage } = part.column
    if (type !== after.type || storage !== after.storage) continue
    const tableName = before!.tableName
    const values =
      (await countRows({ kind: 'rows', tableName })) - (await countRows({ kind: 'nulls', tableName, column: name }))
    if (values > 0) return { from: name, to: column.name }
  }
  return undefined
}
