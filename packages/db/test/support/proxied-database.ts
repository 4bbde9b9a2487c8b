import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { suiteTables } from '@portico/db/testing'
import type { ServerOptions } from './engines.ts'
import { type Fault, startProxy, type TcpProxy } from './tcp-proxy.ts'

/** A database with the tables of the suite, behind a proxy. */
export interface ProxiedDatabase extends AsyncDisposable {
  readonly db: Database
  readonly proxy: TcpProxy
  /** The database itself, past the proxy. */
  readonly url: string
}

/** Faults that end the connection of a write, and how often it was carried out then. */
export const cuts: readonly [Fault, number][] = [
  ['cutBefore', 0],
  ['cutAfter', 1],
  ['reset', 1],
]

export async function openProxied(
  adapter: (options: ServerOptions) => Adapter,
  url: string,
  options: Partial<ServerOptions>,
): Promise<ProxiedDatabase> {
  {
    // Past the proxy, and with the time that it takes on a busy machine.
    await using direct = await openDatabase(adapter({ url }))
    await direct.sync(suiteTables)
  }
  const proxy = await startProxy(Number(new URL(url).port))
  const proxied = new URL(url)
  proxied.port = String(proxy.port)
  const db = await openDatabase(adapter({ connectTimeoutMs: 2000, ...options, url: proxied.href }))
  return {
    db,
    proxy,
    url,
    async [Symbol.asyncDispose]() {
      await db.close()
      await proxy[Symbol.asyncDispose]()
    },
  }
}
