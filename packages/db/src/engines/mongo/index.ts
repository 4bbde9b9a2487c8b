export { type MongoHandle, type MongoHandleOptions, type MongoOptions, mongo } from './adapter.ts'
export type { MongoCollection, MongoCursor, MongoDatabase, MongoSession } from './client/driver.ts'
