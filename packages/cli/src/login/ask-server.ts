const longestBody = 1024 * 1024
/** How long a server may take, its whole answer included. */
const patienceMs = 30_000

/** What a server answered: its status, and the object in its body where there is one. */
export interface ServerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A server that could not be asked: it is not there, does not answer, or sends too much. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Makes sure that somebody is there to sign in at: a browser would show its own error, and the login wait in vain. */
export async function findAuthServer(server: string): Promise<void> {
  const { status } = await askServer(`${server}/auth/status`, {})
  if (status === 401 || status === 200) return
  throw new UnreachableError(`${server} has no sign-in: ${server}/auth/status answered ${status} where 401 is expected`)
}

/** Asks whose token it is (`GET /auth/status`). */
export function askStatus(server: string, accessToken: string, timeoutMs?: number): Promise<ServerAnswer> {
  return askServer(`${server}/auth/status`, { headers: { authorization: `Bearer ${accessToken}` } }, timeoutMs)
}

/** What a server says of a token, as far as it makes sense. */
export function readStatus({ userId, name, expiresAt, scope }: Readonly<Record<string, unknown>>): TokenStatus {
  return {
    userId: typeof userId === 'string' ? userId : undefined,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    expiresAt: readMoment(expiresAt),
    scopes: typeof scope === 'string' ? readScopeNames(scope) : undefined,
  }
}

const maxScopes = 100

/** The names in a scope that a server reported (RFC 6749 §3.3): fit to be printed, and not too many. */
export function readScopeNames(scope: string): string[] {
  const names = scope.split(' ').filter(isScopeName)
  return [...new Set(names)].slice(0, maxScopes)
}

/** RFC 6749 §3.3: printable ASCII without quotes and backslashes. */
export function isScopeName(name: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name)
}

/** Beyond this no moment has a date. */
const lastMoment = 8.64e15

/** A moment that a server told, where it is one. */
export function readMoment(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= lastMoment ? value : undefined
}

export interface TokenStatus {
  readonly userId: string | undefined
  readonly name: string | undefined
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  /** What the token may be used for; `undefined` where the server does not say. */
  readonly scopes: readonly string[] | undefined
}

/** Ends a token (`POST /auth/revoke`, RFC 7009). */
export function askRevocation(server: string, accessToken: string, timeoutMs?: number): Promise<ServerAnswer> {
  const body = new URLSearchParams({ token: accessToken, token_type_hint: 'access_token' })
  return askServer(`${server}/auth/revoke`, { method: 'POST', body }, timeoutMs)
}

/** No redirect is followed, so that the token goes nowhere else. */
async function askServer(url: string, init: RequestInit, timeoutMs = patienceMs): Promise<ServerAnswer> {
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
    if (size > longestBody) throw new Error('its answer is larger than 1 MiB')
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

/** `fetch` says "fetch failed" and keeps the reason to itself. */
function explain({ name, message, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const { code, message: reason } = Object(cause) as { code?: string; message?: string }
  if (code === undefined) return reason || message
  const said = reasons[code]
  return said === undefined ? code : `${said} (${code})`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
}
