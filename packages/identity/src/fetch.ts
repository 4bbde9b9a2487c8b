import { describeCause, OAuthError, type OAuthErrorType, systemCodeOf } from './errors.ts'
import { isObject } from './shared/objects.ts'

/** The part of a response that the library uses. The global `Response` matches it. */
export interface FetchResponseLike {
  ok: boolean
  status: number
  json(): Promise<unknown>
  text(): Promise<string>
}

/**
 * An injected `fetch`. It receives `method`, `headers` and `body` only. The response, including its body, must arrive within
 * 10 s, and a redirect is refused. Do not inject the global `fetch` itself: it follows redirects and sends the client secret
 * along. Inject `(url, init) => fetch(url, { ...init, redirect: 'manual' })` instead.
 */
export type FetchLike = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<FetchResponseLike>

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 1024 * 1024

export interface JsonRequest {
  /** The injected `fetch`, if any. */
  fetch: FetchLike | undefined
  url: string
  init: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }
  /** Names the endpoint in messages and `details.endpoint`, such as `token endpoint`. */
  endpoint: string
  /** The error type of a failure. */
  failAs: OAuthErrorType
}

export interface JsonResponse {
  ok: boolean
  status: number
  /** The parsed body. `undefined` if the status is not 2xx and the body is not JSON. */
  body: unknown
}

/**
 * Sends a request and parses the response as JSON. No connection, a redirect, a stall or a body that is too large or
 * malformed is an `OAuthError` of type `failAs`. The caller handles a status other than 2xx.
 */
export async function requestJson(request: JsonRequest): Promise<JsonResponse> {
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
    // Releases the connection if the body was not read.
    abort.abort()
  }
}

async function exchange(request: JsonRequest, send: FetchLike): Promise<JsonResponse> {
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

/** An injected `fetch` may have followed a redirect. The global one reports that in its response. */
function wasRedirected(response: FetchResponseLike): boolean {
  return 'redirected' in response && response.redirected === true
}

function failure(request: JsonRequest, problem: string, details: object = {}, cause: ErrorOptions = {}): OAuthError {
  const { endpoint, failAs } = request
  const code = systemCodeOf(cause)
  return new OAuthError(failAs, `The ${endpoint} ${problem}`, { endpoint, ...details, ...(code && { code }) }, cause)
}

/** The default `fetch`: follows no redirect and reads at most 1 MiB. */
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
