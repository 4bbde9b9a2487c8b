import { describeCause, OAuthError, type OAuthErrorType, systemCodeOf } from './errors.ts'
import { isObject } from './shared/objects.ts'

/** What the library reads of an answer; the `Response` of the platform fits. */
export interface FetchResponseLike {
  ok: boolean
  status: number
  json(): Promise<unknown>
  text(): Promise<string>
}

/**
 * What the library asks of an injected `fetch`. It gets `method`, `headers` and `body` and nothing else; its answer, body
 * included, has 10 s, and a redirect is refused. The global `fetch` follows redirects by itself and takes the request,
 * client secret included, along: inject `(url, init) => fetch(url, { ...init, redirect: 'manual' })` instead.
 */
export type FetchLike = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<FetchResponseLike>

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 1024 * 1024

export interface JsonRequest {
  /** The injected one, if any. */
  fetch: FetchLike | undefined
  url: string
  init: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }
  /** What the address is to us, for messages and `details.endpoint`. */
  endpoint: string
  /** The error type a failure is reported as. */
  failAs: OAuthErrorType
}

export interface JsonAnswer {
  ok: boolean
  status: number
  /** The parsed body; `undefined` when the answer is not 2xx and its body is no JSON. */
  body: unknown
}

/**
 * Sends a request and reads its answer as JSON. Whatever keeps that from happening (no connection, a redirect, a stall,
 * a body too large or malformed) is an `OAuthError` of the type `failAs`; a status other than 2xx is left to the caller.
 */
export async function requestJson(request: JsonRequest): Promise<JsonAnswer> {
  const abort = new AbortController()
  const send = request.fetch ?? limitedFetch(abort.signal)
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure(request, `did not answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS)
  })
  try {
    return await Promise.race([exchange(request, send), deadline])
  } finally {
    clearTimeout(timer)
    // Lets go of a connection whose body nobody will read.
    abort.abort()
  }
}

async function exchange(request: JsonRequest, send: FetchLike): Promise<JsonAnswer> {
  const response = await sendRequest(request, send)
  const { ok, status } = response
  if ((status >= 300 && status < 400) || wasRedirected(response)) throw failure(request, 'redirects', { status })
  try {
    return { ok, status, body: await response.json() }
  } catch (error) {
    if (!ok) return { ok, status, body: undefined }
    throw failure(request, 'did not answer with readable JSON', { status }, describeCause(error))
  }
}

async function sendRequest(request: JsonRequest, send: FetchLike): Promise<FetchResponseLike> {
  try {
    const response = await send(request.url, request.init)
    if (!isObject(response) || typeof response.json !== 'function') throw new TypeError('no response')
    return response
  } catch (error) {
    throw failure(request, 'could not be reached', {}, describeCause(error))
  }
}

/** An injected `fetch` may have followed a redirect by itself: the platform's says so on its answer. */
function wasRedirected(response: FetchResponseLike): boolean {
  return 'redirected' in response && response.redirected === true
}

function failure(request: JsonRequest, what: string, details: object = {}, cause: ErrorOptions = {}): OAuthError {
  const { endpoint, failAs } = request
  const code = systemCodeOf(cause)
  return new OAuthError(failAs, `The ${endpoint} ${what}`, { endpoint, ...details, ...(code && { code }) }, cause)
}

/** The `fetch` used when none is injected: follows no redirect and reads no more than 1 MiB. */
function limitedFetch(signal: AbortSignal): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const text = () => readLimited(response)
    return { ok: response.ok, status: response.status, text, json: async () => JSON.parse(await text()) as unknown }
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > MAX_BODY_BYTES) throw new RangeError('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
