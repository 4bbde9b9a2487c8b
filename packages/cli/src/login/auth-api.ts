const MAX_BODY_BYTES = 1024 * 1024
/** The time limit for a request, including the response body. */
const defaultTimeoutMs = 30_000

/** A response with a JSON object as body; empty if there is none. */
export interface ServerResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The server does not exist, does not respond, or sends too much. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'SERVER_UNREACHABLE'
}

/** Checks that the server supports sign-in. Otherwise the browser would show an error and the login would wait in vain. */
export async function checkAuthServer(server: string): Promise<void> {
  const { status } = await request(`${server}/auth/status`, {})
  if (status === 401 || status === 200) return
  throw new UnreachableError(
    `${server} does not support sign-in: ${server}/auth/status returned ${status}, expected 401`,
  )
}

/** Requests the owner and scopes of a token (`GET /auth/status`). */
export function fetchStatus(server: string, accessToken: string, timeoutMs?: number): Promise<ServerResponse> {
  return request(`${server}/auth/status`, { headers: { authorization: `Bearer ${accessToken}` } }, timeoutMs)
}

/** Reads the status of a token and ignores invalid fields. */
export function readStatus({ userId, name, expiresAt, scope }: Readonly<Record<string, unknown>>): TokenStatus {
  return {
    userId: typeof userId === 'string' ? userId : undefined,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    expiresAt: readTime(expiresAt),
    scopes: typeof scope === 'string' ? readScopeNames(scope) : undefined,
  }
}

const MAX_SCOPES = 100

/** The scope names in a server's response (RFC 6749 §3.3): valid ones only, limited in number. */
export function readScopeNames(scope: string): string[] {
  const names = scope.split(' ').filter(isScopeName)
  return [...new Set(names)].slice(0, MAX_SCOPES)
}

/** RFC 6749 §3.3: printable ASCII without quotes and backslashes. */
export function isScopeName(name: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name)
}

/** The latest time that `Date` supports, in milliseconds. */
const maxTime = 8.64e15

/** A time in milliseconds from a server's response, if it is valid. */
export function readTime(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= maxTime ? value : undefined
}

export interface TokenStatus {
  readonly userId: string | undefined
  readonly name: string | undefined
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  /** The granted scopes; `undefined` if the server does not report them. */
  readonly scopes: readonly string[] | undefined
}

/** Revokes a token (`POST /auth/revoke`, RFC 7009). */
export function revokeToken(server: string, accessToken: string, timeoutMs?: number): Promise<ServerResponse> {
  const body = new URLSearchParams({ token: accessToken, token_type_hint: 'access_token' })
  return request(`${server}/auth/revoke`, { method: 'POST', body }, timeoutMs)
}

/** Does not follow redirects, so that the token is never sent elsewhere. */
async function request(url: string, init: RequestInit, timeoutMs = defaultTimeoutMs): Promise<ServerResponse> {
  const headers = { accept: 'application/json', ...(init.headers as Record<string, string> | undefined) }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, headers, signal, redirect: 'manual' })
    return { status: response.status, body: readObject(await readText(response)) }
  } catch (error) {
    throw new UnreachableError(`${new URL(url).origin} cannot be reached: ${explain(error as Error, timeoutMs)}`, {
      cause: error,
    })
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw new Error('the response is larger than 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** `fetch` only says "fetch failed". The reason is in the cause. */
function explain({ name, message, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
  const { code, message: reason } = Object(cause) as { code?: string; message?: string }
  if (code === undefined) return reason || message
  const text = reasons[code]
  return text === undefined ? code : `${text} (${code})`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
}
