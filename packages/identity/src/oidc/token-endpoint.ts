import { OAuthError, readErrorCode } from '../errors.ts'
import { type FetchLike, type JsonResponse, requestJson } from '../fetch.ts'
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

/** Exchanges a code at a token endpoint. The fields of the returned object are not verified. */
export async function redeemCode(request: TokenRequest): Promise<Record<string, unknown>> {
  const { code, codeVerifier } = request.args
  return readResponse(await requestTokens(request), 'token endpoint', [code, codeVerifier, ...request.proof.sent])
}

function requestTokens({ fetch, url, args, proof, headers }: TokenRequest): Promise<JsonResponse> {
  for (const name of ['code', 'redirectUri', 'codeVerifier'] as const)
    if (typeof args[name] !== 'string' || args[name] === '')
      throw new OAuthError('EXCHANGE_FAILED', `exchange: \`${name}\` must be a non-empty string`)
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

/** RFC 6749 §5.2: client authentication failed, or the server does not support this method. */
export function isClientRefused(error: unknown): boolean {
  return error instanceof OAuthError && error.details['status'] === 401 && error.details['error'] === 'invalid_client'
}

/** Returns the body. Throws for an error response, whose code must not contain a secret of `sent`. */
export function readResponse(
  response: JsonResponse,
  endpoint: string,
  sent: readonly string[],
): Record<string, unknown> {
  const { ok, status, body } = response
  const reported = isObject(body) ? body['error'] : undefined
  if (ok && isObject(body) && (reported === undefined || reported === null)) return body
  const error = readErrorCode(reported, sent)
  const problem = ok && reported === undefined ? 'did not answer with a JSON object' : 'answered with an error'
  throw new OAuthError('EXCHANGE_FAILED', `The ${endpoint} ${problem}`, { endpoint, status, ...(error && { error }) })
}
