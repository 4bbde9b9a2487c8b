import type { HttpRequest } from '@portico/http'
import type { NormalizedProfile } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { snapshotOf } from '../stores/snapshot.ts'
import { PendingLink } from '../tables/sign-ins.portico.ts'

export function linkPath(linkId: string): string {
  return `/auth/link?link=${linkId}`
}

export interface LinkOptions {
  readonly profile: NormalizedProfile
  /** The user whose account has the address. */
  readonly userId: string
  readonly returnTo: string
  readonly browserHash: string
}

/** Stores a verified identity until its owner has proved the account. The browser gets the id, never the profile. */
export async function keepLink(
  context: Context,
  { profile, userId, returnTo, browserHash }: LinkOptions,
): Promise<string> {
  const id = createSecret()
  const { provider, subject } = profile
  const expiresAt = context.now() + context.settings.lifetimes.interactionSec * 1000
  await context.db
    .table(PendingLink)
    .insertOne({ id, browserHash, userId, provider, subject, ...snapshotOf(profile), returnTo, expiresAt })
  return id
}

/** The profile of a pending identity. `raw` was not stored. */
export function profileOf(link: PendingLink): NormalizedProfile {
  const { provider, subject } = link
  return { provider, subject, ...snapshotOf(link), raw: undefined }
}

/** The pending link with this id, if it belongs to this browser. */
export async function findLink({ db, now, cookies }: Context, request: HttpRequest, id: string): Promise<PendingLink> {
  const link = await db.table(PendingLink).findById(id)
  if (!link || link.browserHash !== cookies.browserHash(request) || link.expiresAt <= now())
    throw new PageRefusal('link-lost', { again: '/auth/sign-in' })
  return link
}

/** Deletes a pending link: it can be used once. */
export async function takeLink({ db }: Context, { id }: PendingLink): Promise<void> {
  if ((await db.table(PendingLink).deleteMany({ id })).deletedCount !== 1)
    throw new PageRefusal('link-lost', { again: '/auth/sign-in' })
}
