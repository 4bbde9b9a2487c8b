export { type MongoHandle, type MongoHandleOptions, type MongoOptions, mongo } from './mongo-adapter.ts'
export type { MongoCollection, MongoCursor, MongoDatabase, MongoSession } from './mongo-driver.ts'
