import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import { readJsonObject, requestText, type TextResponse } from './request.ts'
import type { AuthorizeResult } from './result.ts'
import type { LoginSettings } from './settings.ts'

/** An authorization code and its proof (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface Grant {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Exchanges the code for a token. */
export async function requestToken(
  { tokenUrl: url, clientId, signal }: LoginSettings,
  grant: Grant,
  foreignText: ForeignText,
): Promise<AuthorizeResult> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: grant.code,
    code_verifier: grant.verifier,
    redirect_uri: grant.redirectUri,
  })
  if (clientId !== undefined) body.set('client_id', clientId)
  const response = await requestText(
    { name: 'token', url, errorCode: 'exchange_failed', foreignText },
    { method: 'POST', headers: { accept: 'application/json' }, body, signal: signal ?? null },
  )
  return readTokenResponse(response, foreignText)
}

function readTokenResponse({ status, text }: TextResponse, foreignText: ForeignText): AuthorizeResult {
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

/** A client must not use a token of an unknown type (RFC 6749 section 7.1). Many servers leave the type out. */
function checkTokenType(type: unknown): void {
  if (typeof type !== 'string' || type.toLowerCase() === 'bearer') return
  throw failed('the token endpoint answered with a token that is not a bearer token')
}

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

function failed(message: string): AuthorizeError {
  return new AuthorizeError('exchange_failed', message)
}
