import type { HttpRequest } from '@portico/http'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { AuthorizationRequest, type AuthorizationRequestInsert } from '../tables/grants.portico.ts'

/** Where a request is answered: the step that follows from who is signed in. */
export function continuePath(requestId: string): string {
  return `/auth/continue?request=${requestId}`
}

/** The id of the request that a path leads back to, if it does. */
export function requestIdOf(path: string): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://here.invalid')
  return pathname === '/auth/continue' ? (searchParams.get('request') ?? undefined) : undefined
}

/** Keeps what was asked for. The browser gets the id; without the cookie of the same browser it opens nothing. */
export async function keepRequest(
  { db, now, settings }: Context,
  asked: Omit<AuthorizationRequestInsert, 'id' | 'createdAt' | 'expiresAt'>,
): Promise<string> {
  const id = createSecret()
  const createdAt = now()
  const expiresAt = createdAt + settings.lifetimes.interactionSec * 1000
  await db.table(AuthorizationRequest).insertOne({ ...asked, id, createdAt, expiresAt })
  return id
}

/** The request with this id, for the browser that brought it. */
export async function findRequest(
  { db, now, cookies }: Context,
  request: HttpRequest,
  id: string | undefined,
): Promise<AuthorizationRequest> {
  const browserHash = cookies.browserHash(request)
  const found = id === undefined ? undefined : await db.table(AuthorizationRequest).findById(id)
  if (!found || found.browserHash !== browserHash || found.expiresAt <= now()) throw new PageRefusal('request-lost')
  return found
}

/** Ends a request. Of several answers at once, only one gets it. */
export async function takeRequest({ db }: Context, { id }: AuthorizationRequest): Promise<void> {
  const { deletedCount } = await db.table(AuthorizationRequest).deleteMany({ id })
  if (deletedCount !== 1) throw new PageRefusal('request-lost')
}
