import { defineRoute, type HttpReply, type HttpRequest, optional, type RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { answerJson, answerProblemAsOAuth } from '../web/answers.ts'
import { describedAs, describeRefusals } from '../web/oauth-route.ts'
import { readParams } from '../web/params.ts'
import { challengeOf, readBearer } from './bearer.ts'
import { readClaims, readPicture } from './claims.ts'

const returns = {
  type: 'object',
  properties: {
    sub: { type: 'string', description: 'The id of the user.' },
    name: { type: 'string' },
    picture: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
  },
  required: ['sub'],
}

const body = {
  type: 'object',
  properties: {
    access_token: { type: 'string', maxLength: 512, description: 'Used if there is no Authorization header.' },
  },
}

/** `GET` and `POST /auth/userinfo` (OpenID Connect Core 5.3): the claims for the scopes of a token. */
export function userinfoRoutes(context: Context): RouteDefinition[] {
  const { checkRate, cors } = context
  const path = '/auth/userinfo'
  const shared = {
    path,
    description: 'Needs a bearer token with the scope `openid`; `profile` and `email` add their claims.',
    returns,
    metadata: {
      ...describedAs,
      specSecurity: [{ bearer: [] }],
      specResponses: describeRefusals({
        401: 'The token is missing, unknown, expired or revoked.',
        403: 'The token lacks the scope `openid`.',
      }),
    },
    guards: [(request: HttpRequest) => checkRate('status', request)],
    answerProblem: async (problem: Parameters<typeof answerProblemAsOAuth>[0], request: HttpRequest) =>
      cors.admit(request, answerProblemAsOAuth(problem)),
  } as const
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      label: 'Claims about the user',
      handler: async ({ request }) => cors.admit(request, await answer(context, readBearer(request))),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      label: 'Claims about the user, by form POST',
      body: optional(body),
      consumes: ['application/x-www-form-urlencoded'],
      handler: async ({ request }) => cors.admit(request, await answerPost(context, request)),
    }),
    cors.preflight(path, 'GET, POST'),
  ]
}

/** RFC 6750 §2: a token must not be sent in more than one way. */
async function answerPost(context: Context, request: HttpRequest): Promise<HttpReply> {
  const inForm = readParams(request.body).get('access_token')
  if (inForm !== undefined && request.headers.authorization !== undefined) {
    const body = {
      error: 'invalid_request',
      error_description: 'the token is sent twice, in the header and in the form',
    }
    return answerJson(body, 400, { 'www-authenticate': 'Bearer error="invalid_request"' })
  }
  return answer(context, inForm ?? readBearer(request))
}

async function answer(context: Context, token: string | undefined): Promise<HttpReply> {
  const verified = token === undefined ? undefined : await context.tokens.verify(token)
  if (!verified) {
    const body = { error: 'invalid_token', error_description: 'the token is missing, unknown, expired or revoked' }
    return answerJson(body, 401, challengeOf(token, ['openid']))
  }
  const { userId, scope } = verified
  if (!scope.includes('openid')) {
    const body = { error: 'insufficient_scope', error_description: 'the token lacks the scope openid' }
    return answerJson(body, 403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' })
  }
  const picture = scope.includes('profile') ? await readPicture(context, userId) : undefined
  return answerJson({
    sub: userId,
    ...(await readClaims(context, userId, scope)),
    ...(picture !== undefined && { picture }),
  })
}
