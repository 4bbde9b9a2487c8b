import type { RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { pageRoute } from '../pages/page-route.ts'
import { hashOf } from '../secrets.ts'
import { readParams } from '../web/params.ts'
import { findInvitation } from './find-invitation.ts'

/** `GET /auth/invitation`: the page behind an invitation link. Opening it changes nothing; signing in does. */
export function invitationRoutes(context: Context): RouteDefinition[] {
  const { pages, users } = context
  return [
    pageRoute(context, {
      method: 'GET',
      path: '/auth/invitation',
      label: 'Accept an invitation',
      event: 'sign-in',
      async handler(request) {
        const token = readParams(request.query).get('token') ?? ''
        const { userId } = await findInvitation(context, hashOf(token))
        return pages.invitation(token, (await users.findById(userId))?.email ?? '')
      },
    }),
  ]
}
