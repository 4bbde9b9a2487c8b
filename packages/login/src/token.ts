import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import { type Limit, withLimit } from './limit.ts'
import { type Answer, readJsonObject, requestText } from './request.ts'
import type { AuthorizeResult } from './result.ts'
import type { LoginSettings } from './settings.ts'

/** What turns into a token (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface Grant {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
  readonly foreignText: ForeignText
}

export const requestTimeoutMs = 30_000

/** Exchanges the code for a token. */
export async function requestToken(settings: LoginSettings, grant: Grant): Promise<AuthorizeResult> {
  const limit: Limit = {
    ms: requestTimeoutMs,
    signal: settings.signal,
    expired: () => failed(`the token endpoint did not answer within ${requestTimeoutMs / 1000} s`),
  }
  return withLimit(limit, async (signal) => readTokenResponse(await postGrant(settings, grant, signal), grant))
}

async function postGrant(settings: LoginSettings, grant: Grant, signal: AbortSignal): Promise<Answer> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: grant.code,
    code_verifier: grant.verifier,
    redirect_uri: grant.redirectUri,
  })
  if (settings.clientId !== undefined) body.set('client_id', settings.clientId)
  try {
    return await requestText(settings.tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      signal,
    })
  } catch (error) {
    const { foreignText } = grant
    throw failed(`the token request failed: ${foreignText.quoteFailure(error)}`, foreignText.copyCause(error))
  }
}

function readTokenResponse({ status, text }: Answer, { foreignText }: Grant): AuthorizeResult {
  const body = readJsonObject(text)
  foreignText.keepOutFields(Object.entries(body ?? {}))
  if (status < 200 || status > 299) {
    const refusal = foreignText.quoteRefusal(body?.['error'], body?.['error_description'])
    throw failed(`the token endpoint answered ${status}${refusal}`)
  }
  const accessToken = readString(body?.['access_token'])
  if (body === undefined || accessToken === undefined) {
    throw failed('the token endpoint answered without an access token')
  }
  checkTokenType(body['token_type'])
  const expiresIn = readSeconds(body['expires_in'])
  const idToken = readString(body['id_token'])
  const userId = readUserId(body)
  return {
    accessToken,
    ...(expiresIn !== undefined && { expiresIn }),
    ...(idToken !== undefined && { idToken }),
    ...(userId !== undefined && { userId }),
  }
}

/** A client must not use a token whose type it does not know (RFC 6749 section 7.1); many servers leave the type out. */
function checkTokenType(type: unknown): void {
  if (typeof type !== 'string' || type.toLowerCase() === 'bearer') return
  throw failed('the token endpoint answered with a token that is no bearer token')
}

/** The user id under either spelling. */
export function readUserId(body: Record<string, unknown>): string | undefined {
  return readString(body['userId']) ?? readString(body['user_id'])
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

function failed(message: string, options?: ErrorOptions): AuthorizeError {
  return new AuthorizeError('exchange_failed', message, options)
}
