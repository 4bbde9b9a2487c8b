export { type MysqlOptions, type MysqlPoolOptions, mysql } from './adapter.ts'
export type { MysqlClient, MysqlPool } from './driver.ts'
