import { AuthorizeError, type AuthorizeErrorCode } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import { withLimit } from './limit.ts'

const TIMEOUT_MS = 30_000
const MAX_BODY_BYTES = 1024 * 1024

/** An endpoint of the authorization server. */
export interface Endpoint {
  /** Names the endpoint in messages. */
  readonly name: 'token' | 'status'
  readonly url: string
  /** The code of the error when it does not answer. */
  readonly errorCode: AuthorizeErrorCode
  readonly foreignText: ForeignText
}

export interface TextResponse {
  readonly status: number
  readonly text: string
}

/** Sends a request with the global `fetch`. Follows no redirect, and reads at most 1 MiB within 30 seconds. */
export function requestText(endpoint: Endpoint, init: RequestInit): Promise<TextResponse> {
  const { name, url, errorCode, foreignText } = endpoint
  const expired = () =>
    new AuthorizeError(errorCode, `the ${name} endpoint did not answer within ${TIMEOUT_MS / 1000} s`)
  return withLimit({ ms: TIMEOUT_MS, signal: init.signal, expired }, async (signal) => {
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal })
      return { status: response.status, text: await readText(response) }
    } catch (error) {
      const message = `the ${name} request failed: ${foreignText.quoteFailure(error)}`
      throw new AuthorizeError(errorCode, message, foreignText.copyCause(error))
    }
  })
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  // Leaving the loop early cancels the body, which frees its connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw new Error('the response is larger than 1 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Returns `undefined` unless the text is a JSON object. Drops the parser's error: it quotes the text, maybe a token. */
export function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
