import type { ForeignKey, Index } from '@portico/schema/model'
import type { TablePlan } from './table-plan.ts'

/** A change of what a database has, as plain data. */
export type TableChange =
  | { readonly kind: 'createSchema'; readonly schema: string }
  /** Foreign keys that are not listed are added by a change of their own, once the tables they name are there. */
  | { readonly kind: 'createTable'; readonly plan: TablePlan; readonly foreignKeys: readonly ForeignKey[] }
  | { readonly kind: 'createIndex'; readonly plan: TablePlan; readonly index: Index }
  | { readonly kind: 'addForeignKey'; readonly plan: TablePlan; readonly foreignKey: ForeignKey }
