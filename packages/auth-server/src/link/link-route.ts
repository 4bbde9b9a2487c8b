import type { RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { pageRoute } from '../web/page-route.ts'
import { readParams } from '../web/params.ts'
import { findLink } from './pending-links.ts'

/** `GET /auth/link`: asks for proof that an account is the person's own. */
export function linkRoute(context: Context): RouteDefinition {
  return pageRoute(context, {
    method: 'GET',
    path: '/auth/link',
    label: 'Prove an account',
    event: 'link',
    async handler(request) {
      const { id, provider } = await findLink(context, request, readParams(request.query).get('link') ?? '')
      return context.pages.link(id, context.settings.labelOf(provider))
    },
  })
}
