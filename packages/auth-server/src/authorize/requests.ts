import type { HttpRequest } from '@portico/http'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { AuthorizationRequest, type AuthorizationRequestInsert } from '../tables/grants.portico.ts'

/** The address at which a request continues with its next step. */
export function continuePath(requestId: string): string {
  return `/auth/continue?request=${requestId}`
}

/** The id of the request that a path returns to, if any. */
export function requestIdOf(path: string): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://here.invalid')
  return pathname === '/auth/continue' ? (searchParams.get('request') ?? undefined) : undefined
}

/** Stores a request. The browser gets the id, which is worthless without the cookie of the same browser. */
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

/** The request with this id, if it belongs to this browser. */
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

/** Deletes a request. Of several concurrent answers only one succeeds. */
export async function takeRequest({ db }: Context, { id }: AuthorizationRequest): Promise<void> {
  const { deletedCount } = await db.table(AuthorizationRequest).deleteMany({ id })
  if (deletedCount !== 1) throw new PageRefusal('request-lost')
}
