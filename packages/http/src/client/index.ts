export type { ProblemIssue } from './problem-error.ts'
export { ProblemError } from './problem-error.ts'
export type {
  ClientOperators,
  ClientQuery,
  ClientTextOperators,
  ClientWhere,
  Page,
  TableClient,
  TableClientOptions,
  WriteOptions,
} from './table-client.ts'
export { createTableClient } from './table-client.ts'
