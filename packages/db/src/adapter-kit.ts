/** What writing an adapter takes: the contract, and the parts that engines share. */
export type * from './adapter.ts'
export type * from './change.ts'
export { type Codec, decodeInteger, decodeJson, encodeDecimal, encodeJson, encodeReal, encodeText } from './codec.ts'
export { formatNumber, normalizeDecimal } from './decimal.ts'
export { DbError, type DbErrorCode, errorCodes } from './errors.ts'
export type { LikePattern } from './filter.ts'
export type * from './operation.ts'
export { compileChange } from './sql/compile-change.ts'
export { compileOperation } from './sql/compile-operation.ts'
export { compileQuestion } from './sql/compile-question.ts'
export { type CountedValue, type Dialect, quoteName, quotePlace, quoteText } from './sql/dialect.ts'
export { ParameterList, type Statement } from './sql/statement.ts'
export type { SyncProblem } from './sync/match.ts'
export type { Question } from './sync/question.ts'
export {
  type ColumnSnapshot,
  canonicalDefault,
  type ForeignKeySnapshot,
  type IndexSnapshot,
  type TableSnapshot,
} from './sync/snapshot.ts'
export {
  createTablePlan,
  type PlanColumn,
  type PlanField,
  placeIndex,
  type TablePlace,
  type TablePlan,
} from './table-plan.ts'
