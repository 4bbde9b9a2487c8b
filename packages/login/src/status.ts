import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import { type Limit, withLimit } from './limit.ts'
import { readJsonObject, requestText } from './request.ts'
import type { AuthorizeResult } from './result.ts'
import { readUserId, requestTimeoutMs } from './token.ts'

/** What confirms a login, and what may cut it short. */
export interface StatusCheck {
  readonly statusUrl: URL
  readonly signal: AbortSignal | undefined
  readonly foreignText: ForeignText
}

/** Has the server confirm the token, and takes the user id from it where the token response had none. */
export async function confirmStatus(result: AuthorizeResult, check: StatusCheck): Promise<AuthorizeResult> {
  const { statusUrl, signal: callerSignal, foreignText } = check
  const headers = { accept: 'application/json', authorization: `Bearer ${result.accessToken}` }
  const limit: Limit = {
    ms: requestTimeoutMs,
    signal: callerSignal,
    expired: () => failed(`the status endpoint did not answer within ${requestTimeoutMs / 1000} s`),
  }
  const { status, text } = await withLimit(limit, (signal) =>
    requestText(statusUrl, { headers, signal }).catch((error: unknown) => {
      throw failed(`the status request failed: ${foreignText.quoteFailure(error)}`, foreignText.copyCause(error))
    }),
  )
  if (status !== 200) throw failed(`the status endpoint answered ${status}`)
  const userId = result.userId ?? readUserId(readJsonObject(text) ?? {})
  return userId === undefined ? result : { ...result, userId }
}

function failed(message: string, options?: ErrorOptions): AuthorizeError {
  return new AuthorizeError('status_check_failed', message, options)
}
