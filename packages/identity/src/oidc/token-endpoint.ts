import { OAuthError, readErrorCode } from '../errors.ts'
import { type FetchLike, type JsonAnswer, requestJson } from '../fetch.ts'
import type { ExchangeArgs } from '../provider.ts'
import { isObject } from '../shared/objects.ts'
import type { ClientProof } from './client-auth.ts'

export interface TokenRequest {
  fetch: FetchLike | undefined
  url: string
  args: ExchangeArgs
  proof: ClientProof
  headers?: Record<string, string>
}

/** Redeems a code at a token endpoint and returns its answer as an object without `error`; its fields are unproven. */
export async function redeemCode(request: TokenRequest): Promise<Record<string, unknown>> {
  const { code, codeVerifier } = request.args
  return readAnswer(await requestTokens(request), 'token endpoint', [code, codeVerifier, ...request.proof.sent])
}

function requestTokens({ fetch, url, args, proof, headers }: TokenRequest): Promise<JsonAnswer> {
  for (const name of ['code', 'redirectUri', 'codeVerifier'] as const)
    if (typeof args[name] !== 'string' || args[name] === '')
      throw new OAuthError('EXCHANGE_FAILED', `exchange needs a non-empty ${name}`)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: args.code,
    redirect_uri: args.redirectUri,
    code_verifier: args.codeVerifier,
    ...proof.form,
  })
  return requestJson({
    fetch,
    url,
    init: {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
        ...proof.headers,
      },
      body: form.toString(),
    },
    endpoint: 'token endpoint',
    failAs: 'EXCHANGE_FAILED',
  })
}

/** RFC 6749 §5.2: the server does not take the client for who it says it is, or not by this method. */
export function isClientRefused(error: unknown): boolean {
  return error instanceof OAuthError && error.details['status'] === 401 && error.details['error'] === 'invalid_client'
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
