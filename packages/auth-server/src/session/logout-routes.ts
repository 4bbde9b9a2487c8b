import type { RouteDefinition } from '@portico/http'
import { safeRedirect } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { nameOf } from '../stores/user-store.ts'
import { redirectTo } from '../web/answers.ts'
import { readSender } from '../web/forms.ts'
import { type Params, readParams } from '../web/params.ts'

/**
 * `GET /auth/logout` asks for confirmation, `POST /auth/logout` ends the session of the browser, `GET /auth/signed-out`
 * confirms it. Each GET redirects to the other if it does not apply.
 */
export function logoutRoutes(context: Context): RouteDefinition[] {
  const { settings, sessions, cookies, users, pages, audit } = context
  const readReturnTo = (params: Params): string => {
    const returnTo = params.get('return_to')
    return returnTo === undefined ? '/auth/signed-out' : safeRedirect(returnTo, settings.origin)
  }
  return [
    pageRoute(context, {
      method: 'GET',
      path: '/auth/logout',
      label: 'Ask before signing out',
      event: 'sign-out',
      async handler(request) {
        const returnTo = readReturnTo(readParams(request.query))
        const session = await sessions.find(request)
        if (!session) return redirectTo(returnTo)
        return pages.signOut(nameOf(await users.findById(session.userId)), returnTo)
      },
    }),
    pageRoute(context, {
      method: 'POST',
      path: '/auth/logout',
      label: 'Sign out',
      event: 'sign-out',
      async handler(request) {
        // `Origin` and `Sec-Fetch-Site` are enough here, so any page of this site can offer a plain form.
        if (readSender(request, settings.origin) !== 'own') throw new PageRefusal('form-foreign')
        const userId = await sessions.end(request)
        if (userId !== undefined) await audit(request, { event: 'sign-out', outcome: 'granted', userId })
        return redirectTo(readReturnTo(readParams(request.body)), [cookies.clearSession()])
      },
    }),
    pageRoute(context, {
      method: 'GET',
      path: '/auth/signed-out',
      label: 'Signed out',
      event: 'sign-out',
      handler: async (request) => ((await sessions.find(request)) ? redirectTo('/auth/logout') : pages.signedOut()),
    }),
  ]
}
