export { type SqliteHandleOptions, type SqliteOptions, sqlite } from './adapter.ts'
export type { SqliteHandle, SqliteStatement } from './driver.ts'
