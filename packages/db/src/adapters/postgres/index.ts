export { type PostgresOptions, type PostgresPoolOptions, postgres } from './postgres-adapter.ts'
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './postgres-driver.ts'
