import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { FormPost } from '../tables/sign-ins.portico.ts'

/** A browser follows a redirect at once. */
const KEEP_MS = 60_000

/** Longer than a state, a code and a name need to be. */
const LONGEST = 16_384

/** Keeps what a provider posted and returns the id under which the browser fetches it. */
export async function keepFormPost({ db, now }: Context, posted: URLSearchParams): Promise<string> {
  const id = createSecret()
  const fields = posted.toString()
  if (fields.length > LONGEST) throw new PageRefusal('malformed')
  await db.table(FormPost).insertOne({ id, fields, expiresAt: now() + KEEP_MS })
  return id
}

/** Takes what a provider posted. What makes it count once is the visit that it answers. */
export async function takeFormPost({ db, now }: Context, id: string, provider: string): Promise<URLSearchParams> {
  const posts = db.table(FormPost)
  const post = await posts.findById(id)
  if (!post || post.expiresAt <= now()) throw new PageRefusal('sign-in-lost', { again: '/auth/sign-in', provider })
  await posts.deleteOne(id)
  return new URLSearchParams(post.fields)
}
