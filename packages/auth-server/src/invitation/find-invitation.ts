import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { hashOf } from '../secrets.ts'
import { Invitation } from '../tables/accounts.portico.ts'

/** The id of the valid invitation with this token; `undefined` without a token. */
export async function readInvitation(context: Context, token: string | undefined): Promise<string | undefined> {
  return token === undefined ? undefined : (await findInvitation(context, hashOf(token))).id
}

/** An invitation that has not expired and whose account is still pending. */
export async function findInvitation({ db, users, now }: Context, id: string): Promise<Invitation> {
  const invitation = await db.table(Invitation).findById(id)
  if (!invitation || invitation.expiresAt <= now() || !(await users.isPending(invitation.userId)))
    throw new PageRefusal('invitation-lost', { again: '/auth/sign-in' })
  return invitation
}
