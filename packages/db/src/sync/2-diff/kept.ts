/** What sync made and nothing declares any more: which of it stays, and which has to go. Pure. */
import type { TablePlan } from '../../contract/plan.ts'
import type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot } from '../../contract/snapshot.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import type { Difference } from './diff.ts'

/** A part of a table that stays though nothing declares it any more. Names are those of the plan. */
export type KeptPart =
  | { readonly kind: 'column'; readonly column: ColumnSnapshot }
  | { readonly kind: 'index'; readonly index: IndexSnapshot }
  /** `name` is the one that sync gave it, which the engine may not tell. */
  | { readonly kind: 'foreignKey'; readonly foreignKey: ForeignKeySnapshot; readonly name: string }

/** The same as people and tools see it. Plain data. */
export interface Kept {
  readonly kind: 'table' | 'column' | 'index' | 'foreignKey'
  /** The table as it was declared: `users`, `auth.users`. */
  readonly table: string
  /** What it is: `users`, `users.bio`, `users__email`. */
  readonly name: string
  /** In words, with what it still does to records. */
  readonly told: string
  /** What `allow` has to hold for it to go. */
  readonly consent: string
  /** Set where a step of the plan looks as if this had got another name: dropping it would lose what is meant to stay. */
  readonly suspected?: 'rename'
}

export function describeKept(part: KeptPart, plan: TablePlan): Kept {
  const table = declaredNameOf(plan)
  const kept = (kind: Kept['kind'], name: string, told: string): Kept => ({
    kind,
    table,
    name,
    told,
    consent: `drop ${name}`,
  })
  switch (part.kind) {
    case 'column': {
      const name = `${table}.${part.column.name}`
      return kept('column', name, `column ${name} is no longer declared`)
    }
    case 'index': {
      const { name, unique } = part.index
      const effect = unique ? ', and still refuses equal values' : ''
      return kept('index', name, `${unique ? 'unique ' : ''}index ${name} of ${table} is no longer declared${effect}`)
    }
    case 'foreignKey': {
      const { name } = part
      return kept('foreignKey', name, `foreign key ${name} is no longer declared, and still holds`)
    }
  }
}

export function linkName({ name, columns }: ForeignKeySnapshot, table: string): string {
  return name ?? `${table} (${columns.join(', ')})`
}

/** A table that nothing declares any more. */
export function describeLeftover(table: string): Kept {
  return { kind: 'table', table, name: table, told: `table ${table} is no longer declared`, consent: `drop ${table}` }
}

/** Whether a record can be stored by somebody who does not know the column. */
export function canBeLeftOut({ nullable, default: preset, autoIncrement }: ColumnSnapshot): boolean {
  return nullable || preset !== undefined || autoIncrement
}

/** Columns that go or get another type: what hangs on them cannot stay as it is. */
export function movingColumns(found: readonly Difference[]): ReadonlySet<string> {
  return new Set(
    found.flatMap((it) => {
      if (it.kind === 'dropColumn') return [it.before.name]
      return it.kind === 'changeType' && it.before.storage !== it.after.storage ? [it.after.name] : []
    }),
  )
}

/** Whether a kept index or foreign key needs a column to be as it is. */
export function isHeldBy(parts: readonly KeptPart[], column: string): boolean {
  return parts.some(
    (it) =>
      (it.kind === 'index' && it.index.columns.some(({ name }) => name === column)) ||
      (it.kind === 'foreignKey' && it.foreignKey.columns.includes(column)),
  )
}
