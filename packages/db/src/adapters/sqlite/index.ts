export { type SqliteHandleOptions, type SqliteOptions, sqlite } from './sqlite-adapter.ts'
export type { SqliteHandle, SqliteStatement } from './sqlite-driver.ts'
