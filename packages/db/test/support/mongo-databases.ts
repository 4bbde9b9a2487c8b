import { type Db, MongoClient } from 'mongodb'
import { afterAll, beforeAll } from 'vitest'
import { ferretFound, type MongoServer, mongoFound, startFerret, startMongo } from '../../../../test/support/mongo.ts'

const ownServer = process.env['PORTICO_TEST_MONGO_URL']

/** True if there is a server to test on: one that the tests start, or the one in the environment. */
export const hasMongo: boolean = mongoFound !== undefined || ownServer !== undefined
export const hasFerret: boolean = ferretFound !== undefined

export interface MongoDatabases {
  /** True for the server in the environment: a real MongoDB. */
  readonly isNamed: boolean
  /** The address of a new, empty database. */
  create(): string
  /** The tests' own server; `undefined` when the environment names another. */
  readonly server: MongoServer | undefined
}

/** A server for the tests of one file. Call it at the top of a `describe`. */
export function useMongo(kind: 'mongo' | 'ferret' = 'mongo'): MongoDatabases {
  const isNamed = kind === 'mongo' && ownServer !== undefined
  let server: MongoServer | undefined
  const created: string[] = []
  beforeAll(async () => {
    if (!isNamed) server = kind === 'mongo' ? await startMongo() : await startFerret()
  })
  afterAll(async () => {
    if (server) return server[Symbol.asyncDispose]()
    for (const url of created) await withMongo(url, (client) => client.db().dropDatabase())
  })
  return {
    isNamed,
    get server() {
      return server
    },
    create() {
      const url = new URL(isNamed ? ownServer : server!.url)
      url.pathname = `/portico_${process.pid}_${Math.random().toString(36).slice(2)}`
      created.push(url.href)
      return url.href
    },
  }
}

/** A server for the tests of one file, with new, empty databases of the driver's own. Call it at the top of a `describe`. */
export function useRawMongo(): () => Db {
  const databases = useMongo()
  let client: MongoClient | undefined
  beforeAll(() => {
    client = new MongoClient(databases.create())
  })
  afterAll(() => client?.close())
  return () => client!.db(new URL(databases.create()).pathname.slice(1))
}

/** Runs something on a client of its own. */
export async function withMongo<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** The address with an option of the driver in it. */
export function withOption(url: string, name: string, value: string): string {
  const changed = new URL(url)
  changed.searchParams.set(name, value)
  return changed.href
}
