import { AuthorizeError } from './errors.ts'
import { type Limit, withLimit } from './limit.ts'
import { type Answer, describeFailure, keepCause, readJsonObject, requestText } from './request.ts'
import type { AuthorizeResult } from './result.ts'
import { readUserId, requestTimeoutMs } from './token.ts'

/** Has the server confirm the token, and takes the user id from it where the token response had none. */
export async function confirmStatus(
  statusUrl: URL,
  result: AuthorizeResult,
  callerSignal: AbortSignal | undefined,
): Promise<AuthorizeResult> {
  const limit: Limit = {
    ms: requestTimeoutMs,
    signal: callerSignal,
    expired: () => failed(`the status endpoint did not answer within ${requestTimeoutMs / 1000} s`),
  }
  const { status, text } = await withLimit(limit, (signal) => getStatus(statusUrl, result.accessToken, signal))
  if (status !== 200) throw failed(`the status endpoint answered ${status}`)
  const userId = result.userId ?? readUserId(readJsonObject(text) ?? {})
  return userId === undefined ? result : { ...result, userId }
}

async function getStatus(url: URL, token: string, signal: AbortSignal): Promise<Answer> {
  try {
    return await requestText(url, { headers: readHeaders(token), signal })
  } catch (error) {
    if (error instanceof AuthorizeError) throw error
    throw failed(`the status request failed: ${describeFailure(error)}`, keepCause(error))
  }
}

function readHeaders(token: string): Headers {
  try {
    return new Headers({ accept: 'application/json', authorization: `Bearer ${token}` })
  } catch {
    // The runtime's own error quotes the header, and with it the token.
    throw failed('the access token has characters that no HTTP header can carry')
  }
}

function failed(message: string, options?: ErrorOptions): AuthorizeError {
  return new AuthorizeError('status_check_failed', message, options)
}
