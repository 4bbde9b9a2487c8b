import type { RouteDefinition } from '@portico/http'
import { safeRedirect } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { redirectTo } from '../web/answers.ts'
import { readSender } from '../web/forms.ts'
import { pageRoute } from '../web/page-route.ts'
import { readParams } from '../web/params.ts'

/** `POST /auth/logout` ends the browser's session; `GET /auth/signed-out` says so. */
export function logoutRoutes(context: Context): RouteDefinition[] {
  const { settings, sessions, cookies, pages, audit } = context
  return [
    pageRoute(context, {
      method: 'POST',
      path: '/auth/logout',
      label: 'Sign out',
      event: 'sign-out',
      async handler(request) {
        // The browser's own word is enough here, so that any page of this site can offer a plain form.
        if (readSender(request, settings.origin) !== 'own') throw new PageRefusal('form-foreign')
        const userId = await sessions.end(request)
        if (userId !== undefined) await audit(request, { event: 'sign-out', outcome: 'granted', userId })
        const returnTo = readParams(request.body).get('return_to')
        const location = returnTo === undefined ? '/auth/signed-out' : safeRedirect(returnTo, settings.origin)
        return redirectTo(location, [cookies.clearSession()])
      },
    }),
    pageRoute(context, {
      method: 'GET',
      path: '/auth/signed-out',
      label: 'Signed out',
      event: 'sign-out',
      handler: async () => pages.signedOut(),
    }),
  ]
}
