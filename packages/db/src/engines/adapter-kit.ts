/** For writing an adapter: the contract, and the parts that engines share. */
export type * from '../contract/adapter.ts'
export type * from '../contract/change.ts'
export type * from '../contract/operation.ts'
export type { RowQuery } from '../contract/row-query.ts'
export type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot, TableSnapshot } from '../contract/snapshot.ts'
export type * from '../contract/storage.ts'
export type { SyncProblem } from '../contract/sync-problem.ts'
export type { PlanColumn, PlanField, TableName, TablePlan } from '../contract/table-plan.ts'
export { DbError, type DbErrorCode, errorCodes } from '../errors.ts'
export type { LikePattern } from '../query/read-filter.ts'
export { compileChange } from '../sql/compile-change.ts'
export { compileOperation } from '../sql/compile-operation.ts'
export { compileRowQuery } from '../sql/compile-row-query.ts'
export { type AutoIncrementValue, type Dialect, quoteName, quoteTableName, quoteText } from '../sql/dialect.ts'
export { ParameterList, type Statement } from '../sql/statement.ts'
export { canonicalDefault } from '../table/describe-table.ts'
export { createTablePlan } from '../table/table-plan.ts'
export {
  type Codec,
  decodeInteger,
  decodeJson,
  encodeDecimal,
  encodeJson,
  encodeReal,
  encodeText,
} from '../values/codec.ts'
export { formatNumber, normalizeDecimal } from '../values/decimal.ts'
export type * from '../values/each-uuid.ts'
export { toIndexName } from '../values/table-name.ts'
