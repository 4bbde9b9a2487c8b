import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import { readJsonObject, requestText } from './request.ts'
import type { AuthorizeResult } from './result.ts'
import type { LoginSettings } from './settings.ts'
import { readUserId } from './token.ts'

const errorCode = 'status_check_failed'

/** Has `statusUrl` confirm the token. Takes the user id from its response if the token response had none. */
export async function confirmStatus(
  result: AuthorizeResult,
  { statusUrl: url, signal }: LoginSettings,
  foreignText: ForeignText,
): Promise<AuthorizeResult> {
  if (url === undefined) return result
  const headers = { accept: 'application/json', authorization: `Bearer ${result.accessToken}` }
  const { status, text } = await requestText(
    { name: 'status', url, errorCode, foreignText },
    { headers, signal: signal ?? null },
  )
  if (status !== 200) throw new AuthorizeError(errorCode, `the status endpoint answered ${status}`)
  const userId = result.userId ?? readUserId(readJsonObject(text) ?? {})
  return userId === undefined ? result : { ...result, userId }
}
