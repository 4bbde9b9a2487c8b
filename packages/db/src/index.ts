export type { SyncProblem } from './contract/sync-problem.ts'
export type { Database, DatabaseOptions, Queryable, TransactionOptions } from './database.ts'
export { openDatabase } from './database.ts'
export type { DbErrorCode } from './errors.ts'
export { DbError } from './errors.ts'
export type {
  FieldPath,
  FindOptions,
  Found,
  KeyInput,
  Loaded,
  Operators,
  OrderBy,
  ReadOptions,
  RelatedQuery,
  StreamOptions,
  TextOperators,
  ValueAt,
  Where,
  With,
} from './query/query-types.ts'
export { printPlan } from './sync/3-plan/print-plan.ts'
export {
  type Postcheck,
  type Precheck,
  type StepClass,
  type StepKind,
  type StepSpec,
  type SyncStep,
  stepClasses,
  stepKinds,
  type Touches,
} from './sync/3-plan/steps.ts'
export type { KeptItem, SyncPlan, SyncWarning } from './sync/3-plan/sync-plan.ts'
export type { SyncProgress, SyncResult } from './sync/4-apply/apply.ts'
export type { SyncOptions } from './sync/sync.ts'
export type { DeleteResult, Table, UpdateResult } from './table/table.ts'
