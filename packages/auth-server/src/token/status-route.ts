import { defineRoute, type RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { answerJson, answerProblemAsOAuth } from '../web/answers.ts'
import { describedAs, describeRefusals } from '../web/oauth-route.ts'
import { challengeOf, readBearer } from './bearer.ts'

/**
 * `GET /auth/status`: whose token it is, for what and until when. One answer for every token that does not hold. A registered client
 * learns the name with the scope `profile`, from an id token; a program on somebody's own computer learns it here.
 */
export function statusRoute({ tokens, users, checkRate }: Context): RouteDefinition {
  return defineRoute({
    method: 'GET',
    path: '/auth/status',
    label: 'Check an access token',
    description:
      'Answers who the bearer token belongs to, which scopes it has, and when it expires, in milliseconds since the epoch.',
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
