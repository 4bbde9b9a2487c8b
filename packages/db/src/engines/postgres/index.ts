export { type PostgresOptions, type PostgresPoolOptions, postgres } from './adapter.ts'
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './driver.ts'
