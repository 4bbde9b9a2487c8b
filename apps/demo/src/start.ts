import { authTables, User } from '@portico/auth-server'
import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import type { App, CloseOptions } from '@portico/http'
import { OidcProvider } from '@portico/identity'
import type { AnyTable } from '@portico/schema/runtime'
import { DemoError } from './errors.ts'
import { addExamples } from './examples.ts'
import { type LocalProvider, startLocalProvider } from './local-provider.ts'
import { accounts } from './people.ts'
import { keepSecret } from './secret.ts'
import { Project, Star, Tag, Task, TaskTag } from './tracker.portico.ts'
import { createTracker, type TrackerApp, type TrackerOptions } from './tracker-app.ts'

/** Every table of the app, for `db.sync`. */
export const tables: readonly AnyTable[] = [Project, Task, Tag, TaskTag, Star, ...authTables]

export interface PlatformOptions extends Pick<TrackerOptions, 'rateLimits'> {
  /** The folder of the secret. */
  readonly folder: string
  readonly adapter: Adapter
  /** The first port to try. If it is in use, the next ones are tried. */
  readonly port: number
}

/** The running app, with the providers beside it. */
export interface Platform {
  readonly address: string
  readonly port: number
  readonly providers: readonly LocalProvider[]
  /** Closes everything. The app is drained first, see `App.close`. */
  close(options?: CloseOptions): Promise<void>
}

const portsToTry = 50

/** Starts everything: database, local providers, app. An existing database keeps its data. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const secret = keepSecret(options.folder)
  const opened: { close(): Promise<void> }[] = []
  let app: App | undefined
  const close = async (options?: CloseOptions): Promise<void> => {
    await app?.close(options)
    for (const it of opened.splice(0).reverse()) await it.close()
  }
  try {
    const db = await openDatabase(options.adapter)
    opened.push(db)
    await prepare(db)
    const providers: LocalProvider[] = []
    for (const it of accounts) {
      const provider = await startLocalProvider(it)
      opened.push(provider)
      providers.push(provider)
    }
    const tracker = await listen(options.port, (at) =>
      createTracker({ ...options, db, secret, address: at, providers: providers.map(connect) }),
    )
    app = tracker.app
    const { port, address } = tracker
    return { address, port, providers, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function prepare(db: Database): Promise<void> {
  await db.sync(tables)
  // Once there are users, missing projects may have been deleted on purpose.
  const isNew = !((await db.table(Project).exists()) || (await db.table(User).exists()))
  if (isNew) await addExamples(db)
}

function connect({ id, issuer, clientId, clientSecret }: LocalProvider): OidcProvider {
  return new OidcProvider({ id, issuer, clientId, clientSecret })
}

interface Listening extends TrackerApp {
  readonly port: number
  readonly address: string
}

/** The app must know its address before it listens, so it is created again for each port that is tried. */
async function listen(first: number, create: (address: string) => TrackerApp): Promise<Listening> {
  for (let port = first; port < first + portsToTry; port++) {
    // In the form that browsers use, which omits port 80.
    const { origin: address } = new URL(`http://127.0.0.1:${port}`)
    const tracker = create(address)
    try {
      await tracker.app.listen({ port })
      return { ...tracker, port, address }
    } catch (error) {
      await tracker.app.close()
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES') {
        throw new DemoError('PORT_FORBIDDEN', `no permission to listen on port ${port}: choose another one with --port`)
      }
      if (code !== 'EADDRINUSE') throw error
    }
  }
  throw new DemoError(
    'PORTS_TAKEN',
    `the ports ${first} to ${first + portsToTry - 1} are in use: choose another one with --port`,
  )
}
