import { defineRoute, type HttpReply, type HttpRequest, type RouteDefinition } from '@portico/http'
import { type Audit, type AuditEntry, auditProblem } from '../audit.ts'
import { OAuthRefusal } from '../errors.ts'
import type { CheckRate } from '../rate-limit.ts'
import { answerProblemAsOAuth, answerRefusal } from './answers.ts'
import type { Cors } from './cors.ts'
import { type Params, readParams } from './params.ts'

/** The parts of the server that every endpoint for clients uses. */
export interface OAuthRouteDeps {
  readonly audit: Audit
  readonly checkRate: CheckRate
  readonly cors: Cors
}

export interface OAuthRouteOptions {
  readonly path: string
  readonly label: string
  readonly description: string
  /** The fields of the form, each with a description. */
  readonly fields: Readonly<Record<string, string>>
  readonly required: readonly string[]
  /** The schema of a successful response. */
  readonly returns: Readonly<Record<string, unknown>>
  /** The audit event of a refusal. */
  readonly event: AuditEntry['event']
  readonly handler: (form: Params, request: HttpRequest) => Promise<HttpReply>
}

/** The fields by which a client identifies and authenticates itself in a form. */
export const clientFields = {
  client_id: 'The id of a registered client. A loopback client sends none.',
  client_secret: 'The secret of a confidential client, unless it comes by HTTP Basic.',
} as const

/** The tag of these routes in an API description. */
export const describedAs = { specTags: ['Authorization'] } as const

const refusal = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error', 'error_description'],
}

/** Error responses of RFC 6749 §5.2, for an API description. */
export function describeRefusals(texts: Readonly<Record<number, string>>): readonly object[] {
  return Object.entries(texts).map(([status, description]) => ({ status: Number(status), type: refusal, description }))
}

const refusalTexts = {
  400: 'The request is not valid; `error` says why (RFC 6749 §5.2).',
  401: 'The client is unknown, or its secret is missing or wrong.',
  413: 'The body is too large.',
  415: 'The body is not a form.',
  429: 'Too many requests; `Retry-After` says when to try again.',
}

/** Ample for every value that a client sends. */
const MAX_LENGTH = 4096

/**
 * A route that clients send a form to. Every refusal is the JSON of RFC 6749 §5.2 and is audited. Pages of registered
 * clients may call it.
 */
export function oauthRoutes(deps: OAuthRouteDeps, options: OAuthRouteOptions): RouteDefinition[] {
  return [formRoute(deps, options), deps.cors.preflight(options.path, 'POST')]
}

function formRoute({ audit, checkRate, cors }: OAuthRouteDeps, options: OAuthRouteOptions): RouteDefinition {
  const { path, label, description, fields, required, returns, event, handler } = options
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, { type: 'string', maxLength: MAX_LENGTH, description: text }]),
  )
  return defineRoute({
    method: 'POST',
    path,
    label,
    description,
    body: { type: 'object', properties, required },
    consumes: ['application/x-www-form-urlencoded'],
    returns,
    // The guard only counts requests.
    metadata: { ...describedAs, specPublic: true, specResponses: describeRefusals(refusalTexts) },
    // Runs before anything is parsed, so that malformed requests count too.
    guards: [(request) => checkRate('token', request)],
    answerProblem: async (problem, request) =>
      cors.admit(request, answerProblemAsOAuth(await auditProblem(audit, request, event, problem))),
    handler: async ({ body, request }) => {
      try {
        return cors.admit(request, await handler(readParams(body), request))
      } catch (error) {
        if (!(error instanceof OAuthRefusal)) throw error
        const reason = `${error.code}: ${error.message}`
        await audit(request, { event, outcome: 'refused', reason, ...error.concerned })
        return cors.admit(request, answerRefusal(error))
      }
    },
  })
}
