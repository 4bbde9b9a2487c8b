import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { FormPost } from '../tables/sign-ins.portico.ts'

/** A browser follows a redirect immediately. */
const KEEP_MS = 60_000

/** Ample for a state, a code and a name. */
const MAX_LENGTH = 16_384

/** Stores the form that a provider posted and returns the id by which the browser fetches it. */
export async function keepFormPost({ db, now }: Context, posted: URLSearchParams): Promise<string> {
  const id = createSecret()
  const fields = posted.toString()
  if (fields.length > MAX_LENGTH) throw new PageRefusal('malformed')
  await db.table(FormPost).insertOne({ id, fields, expiresAt: now() + KEEP_MS })
  return id
}

/** Returns and deletes a stored form. Replays are prevented by the sign-in that it answers. */
export async function takeFormPost({ db, now }: Context, id: string, provider: string): Promise<URLSearchParams> {
  const posts = db.table(FormPost)
  const post = await posts.findById(id)
  if (!post || post.expiresAt <= now()) throw new PageRefusal('sign-in-lost', { again: '/auth/sign-in', provider })
  await posts.deleteOne(id)
  return new URLSearchParams(post.fields)
}
