import { HttpError, type RouteDefinition } from '@portico/http'
import { answerAccount } from './account-page.ts'
import { pageRoute, redirectTo, type Site } from './page-route.ts'

/** Lists the sessions and tokens of a user, and revokes them. */
export function accountRoutes(site: Site): RouteDefinition[] {
  const { auth, address, labelOf } = site
  return [
    pageRoute(site, {
      method: 'GET',
      path: '/account',
      async handler({ viewer, sessionId }) {
        const [access, identities] = await Promise.all([
          auth.listAccess(viewer.userId),
          auth.identities.listForUser(viewer.userId),
        ])
        return answerAccount({ viewer, currentId: sessionId, access, identities, labelOf, address })
      },
    }),
    pageRoute(site, {
      method: 'POST',
      path: '/account/:id/end',
      async handler({ viewer, params }) {
        if (!(await auth.revokeAccess(viewer.userId, params['id'] ?? ''))) {
          throw new HttpError(404, 'NOT_FOUND', 'it has already ended')
        }
        return redirectTo('/account')
      },
    }),
  ]
}
