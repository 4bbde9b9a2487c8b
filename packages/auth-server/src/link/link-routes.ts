import type { RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { identityLabel } from '../pages/identity-label.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { viewProvider } from '../pages/provider-view.ts'
import type { PendingLink } from '../tables/sign-ins.portico.ts'
import { readParams } from '../web/params.ts'
import { mayOpenOwn, openOwn } from './own-account.ts'
import { findLink, linkPath } from './pending-links.ts'

/**
 * `GET /auth/link` asks for proof that the account belongs to the person. `POST /auth/link` creates a separate account,
 * if the address is provably theirs.
 */
export function linkRoutes(context: Context): RouteDefinition[] {
  const { pages, forms, settings } = context
  return [
    pageRoute(context, {
      method: 'GET',
      path: '/auth/link',
      label: 'Prove an account',
      event: 'link',
      async handler(request) {
        const link = await findLink(context, request, readParams(request.query).get('link') ?? '')
        const formToken = (await mayOpenOwn(context, link)) ? forms.sign(...aboutForm(link)) : undefined
        return pages.link({
          linkId: link.id,
          provider: viewProvider(settings, link.provider),
          who: identityLabel(link),
          formToken,
        })
      },
    }),
    pageRoute(context, {
      method: 'POST',
      path: '/auth/link',
      label: 'Create a separate account',
      event: 'link',
      async handler(request) {
        const form = readParams(request.body)
        const link = await findLink(context, request, form.get('link') ?? '')
        if (!forms.isGenuine(request, form.get('form_token'), ...aboutForm(link)))
          throw new PageRefusal('form-foreign', { again: linkPath(link.id), provider: link.provider })
        return openOwn(context, request, link)
      },
    }),
  ]
}

/** The form is bound to this identity in this browser. */
function aboutForm({ browserHash, id }: PendingLink): string[] {
  return ['own account', browserHash, id]
}
