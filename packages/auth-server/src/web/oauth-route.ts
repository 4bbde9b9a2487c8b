import { defineRoute, type HttpReply, type HttpRequest, type RouteDefinition } from '@portico/http'
import type { AuditEntry } from '../audit.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { answerProblemAsOAuth, answerRefusal } from './answers.ts'
import { type Params, readParams } from './params.ts'

export interface OAuthRouteOptions {
  readonly path: string
  readonly label: string
  readonly description: string
  /** The fields of the form, each with what it is. */
  readonly fields: Readonly<Record<string, string>>
  readonly required: readonly string[]
  /** What the audit calls a refusal here. */
  readonly event: AuditEntry['event']
  readonly handler: (form: Params, request: HttpRequest) => Promise<HttpReply>
}

/** How a client names and proves itself in a form. */
export const clientFields = {
  client_id: 'The id of a registered client. A loopback client sends none.',
  client_secret: 'The secret of a confidential client, unless it comes by HTTP Basic.',
} as const

/** The group of these routes in an API description. */
export const describedAs = { specTags: ['Authorization'] } as const

/** Longer than anything that a client has to send. */
const LONGEST = 4096

/** A route that clients send a form to: every refusal is the JSON of RFC 6749 §5.2, and the audit has a line. */
export function oauthRoute({ audit, checkRate }: Context, options: OAuthRouteOptions): RouteDefinition {
  const { path, label, description, fields, required, event, handler } = options
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, { type: 'string', maxLength: LONGEST, description: text }]),
  )
  return defineRoute({
    method: 'POST',
    path,
    label,
    description,
    body: { type: 'object', properties, required },
    consumes: ['application/x-www-form-urlencoded'],
    metadata: { ...describedAs, specPublic: true },
    // Before anything is read: what is malformed counts too.
    guards: [(request) => checkRate('token', request)],
    answerProblem: answerProblemAsOAuth,
    handler: async ({ body, request }) => {
      try {
        return await handler(readParams(body), request)
      } catch (error) {
        if (!(error instanceof OAuthRefusal)) throw error
        const reason = `${error.code}: ${error.message}`
        await audit(request, { event, outcome: 'refused', reason, ...error.concerned })
        return answerRefusal(error)
      }
    },
  })
}
