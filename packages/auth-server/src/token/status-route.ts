import { defineRoute, type RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { answerJson, answerProblemAsOAuth } from '../web/answers.ts'
import { describedAs, describeRefusals } from '../web/oauth-route.ts'
import { challengeOf, readBearer } from './bearer.ts'

/**
 * `GET /auth/status`: the user, scopes and expiry of a token, with one response for every invalid token. A registered
 * client gets the name from an id token with the scope `profile`; a program on a person’s own computer gets it here.
 */
export function statusRoute({ tokens, users, checkRate }: Context): RouteDefinition {
  return defineRoute({
    method: 'GET',
    path: '/auth/status',
    label: 'Check an access token',
    description: 'Returns the user, the scopes and the expiry of the bearer token, in milliseconds since the epoch.',
    returns: {
      type: 'object',
      properties: {
        userId: { type: 'string' },
        name: { type: 'string' },
        scope: { type: 'string' },
        expiresAt: { type: 'integer' },
      },
      required: ['userId', 'scope', 'expiresAt'],
    },
    metadata: {
      ...describedAs,
      specSecurity: [{ bearer: [] }],
      specResponses: describeRefusals({ 401: 'The token is missing, unknown, expired or revoked.' }),
    },
    guards: [(request) => checkRate('status', request)],
    answerProblem: answerProblemAsOAuth,
    handler: async ({ request }) => {
      const token = readBearer(request)
      const verified = token === undefined ? undefined : await tokens.verify(token)
      if (verified) {
        const { userId, clientId, scope, expiresAt } = verified
        const user = clientId === undefined ? await users.findById(userId) : null
        const name = user?.displayName
        return answerJson({ userId, ...(name !== undefined && { name }), scope: scope.join(' '), expiresAt })
      }
      const body = { error: 'invalid_token', error_description: 'the token is missing, unknown, expired or revoked' }
      return answerJson(body, 401, challengeOf(token))
    },
  })
}
