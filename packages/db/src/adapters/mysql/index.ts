export { type MysqlOptions, type MysqlPoolOptions, mysql } from './mysql-adapter.ts'
export type { MysqlClient, MysqlPool } from './mysql-driver.ts'
