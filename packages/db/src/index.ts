export type { Database, DatabaseOptions, Tables, TransactionOptions } from './database.ts'
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
} from './query-types.ts'
export type { SyncProgress, SyncResult } from './sync/apply.ts'
export type { SyncWarning } from './sync/check-values.ts'
export type { Kept } from './sync/kept.ts'
export type { SyncProblem } from './sync/match.ts'
export type { SyncPlan } from './sync/plan.ts'
export { printPlan } from './sync/print-plan.ts'
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
} from './sync/steps.ts'
export type { SyncOptions } from './sync/sync.ts'
export type { DeleteResult, Table, UpdateResult } from './table.ts'
