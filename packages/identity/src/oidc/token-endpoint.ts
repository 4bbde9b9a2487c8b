import { isObject } from '../check-options.ts'
import { OAuthError, readErrorCode } from '../errors.ts'
import { type FetchLike, type JsonAnswer, requestJson } from '../fetch.ts'
import type { ExchangeArgs } from '../provider.ts'

export type ClientAuthMethod = 'client_secret_post' | 'client_secret_basic'

export interface TokenRequest {
  fetch: FetchLike | undefined
  url: string
  clientId: string
  clientSecret: string
  authMethod: ClientAuthMethod
  args: ExchangeArgs
  headers?: Record<string, string>
}

/** Redeems a code at a token endpoint and returns its answer as an object without `error`; its fields are unproven. */
export async function redeemCode(request: TokenRequest): Promise<Record<string, unknown>> {
  const { code, codeVerifier } = request.args
  return readAnswer(await requestTokens(request), 'token endpoint', [code, codeVerifier, request.clientSecret])
}

function requestTokens({
  fetch,
  url,
  clientId,
  clientSecret,
  authMethod,
  args,
  headers,
}: TokenRequest): Promise<JsonAnswer> {
  for (const name of ['code', 'redirectUri', 'codeVerifier'] as const)
    if (typeof args[name] !== 'string' || args[name] === '')
      throw new OAuthError('EXCHANGE_FAILED', `exchange needs a non-empty ${name}`)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: args.code,
    redirect_uri: args.redirectUri,
    code_verifier: args.codeVerifier,
    ...(authMethod === 'client_secret_post' && { client_id: clientId, client_secret: clientSecret }),
  })
  const basic = authMethod === 'client_secret_basic' && { authorization: basicCredentials(clientId, clientSecret) }
  return requestJson({
    fetch,
    url,
    init: {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
        ...basic,
      },
      body: form.toString(),
    },
    endpoint: 'token endpoint',
    failAs: 'EXCHANGE_FAILED',
  })
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function basicCredentials(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((part) => new URLSearchParams({ '': part }).toString().slice(1))
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** The object an endpoint answered with; `sent` are the secrets that must not come back in an error. */
export function readAnswer(answer: JsonAnswer, endpoint: string, sent: readonly string[]): Record<string, unknown> {
  const { ok, status, body } = answer
  const said = isObject(body) ? body['error'] : undefined
  if (ok && isObject(body) && (said === undefined || said === null)) return body
  const error = readErrorCode(said, sent)
  const problem = ok && said === undefined ? 'did not answer with a JSON object' : 'answered with an error'
  throw new OAuthError('EXCHANGE_FAILED', `The ${endpoint} ${problem}`, { endpoint, status, ...(error && { error }) })
}
