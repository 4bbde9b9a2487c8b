import type { ForeignKey } from '@portico/schema/model'
import { count } from '../shared/count.ts'

/** Rows that refer to missing rows: ``1 row refers to a missing row of `teams` ``. */
export function describeOrphans(orphans: number, table: string): string {
  const refer = orphans === 1 ? 'refers to a missing row' : 'refer to missing rows'
  return `${count(orphans, 'row')} ${refer} of \`${table}\``
}

/** The reason not to add a foreign key: rows that refer to missing rows. */
export function describeForeignKeyOrphans({ constraint, references }: ForeignKey, orphans: number): string {
  return `cannot add foreign key \`${constraint}\`: ${describeOrphans(orphans, references.table)}`
}
