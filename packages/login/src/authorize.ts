import { buildAuthorizeUrl } from './authorize-url.ts'
import { openBrowser } from './browser.ts'
import { pageForError, readCallback } from './callback.ts'
import { AuthorizeError } from './errors.ts'
import { ForeignText } from './foreign-text.ts'
import { throwIfAborted, withLimit } from './limit.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import type { AuthorizeOptions } from './options.ts'
import type { Page } from './page.ts'
import { createLoginSecrets } from './pkce.ts'
import type { AuthorizeResult } from './result.ts'
import { type LoginSettings, readSettings } from './settings.ts'
import { confirmStatus } from './status.ts'
import { requestToken } from './token.ts'

/**
 * Signs a person in through their browser and returns an access token.
 *
 * A one-shot server at 127.0.0.1 catches the redirect; a random state and PKCE (S256) protect it. Every failure is an
 * {@link AuthorizeError} with a `code`. Nothing keeps running afterwards.
 *
 * @example
 * ```ts
 * const { accessToken } = await authorize({
 *   authorizeUrl: 'https://app.example/auth/authorize',
 *   tokenUrl: 'https://app.example/auth/token',
 *   onUrl: (url) => console.log(`Sign in at ${url}`),
 * })
 * ```
 */
export async function authorize(options: AuthorizeOptions): Promise<AuthorizeResult> {
  try {
    return await serveLogin(readSettings(options))
  } catch (error) {
    if (error instanceof AuthorizeError) throw error
    throw new AuthorizeError('exchange_failed', 'the sign-in failed unexpectedly', { cause: error })
  }
}

async function serveLogin(settings: LoginSettings): Promise<AuthorizeResult> {
  throwIfAborted(settings.signal)
  const server = await startLoopbackServer()
  let page: Page = 'failed'
  try {
    const result = await logIn(settings, server)
    page = 'signed-in'
    return result
  } catch (error) {
    if (error instanceof AuthorizeError && error.code === 'provider_denied') page = pageForError(await server.callback)
    throw error
  } finally {
    await server.close(page)
  }
}

async function logIn(settings: LoginSettings, server: LoopbackServer): Promise<AuthorizeResult> {
  const { redirectUri } = server
  const secrets = createLoginSecrets()
  const { state, verifier } = secrets
  const foreignText = new ForeignText()
  foreignText.keepOut(state, verifier)
  throwIfAborted(settings.signal)
  const query = await waitForCallback(settings, buildAuthorizeUrl(settings, secrets, redirectUri), server)
  const code = readCallback(query, { state, issuer: settings.expectedIssuer, foreignText })
  foreignText.keepOut(code)
  const result = await requestToken(settings, { code, verifier, redirectUri }, foreignText)
  return confirmStatus(result, settings, foreignText)
}

async function waitForCallback(settings: LoginSettings, url: string, server: LoopbackServer): Promise<URLSearchParams> {
  const { signal, timeoutMs } = settings
  const shown = showUrl(settings, url)
  throwIfAborted(signal)
  const stopTrying = settings.openBrowser ? openBrowser(url) : () => {}
  const expired = () => new AuthorizeError('timeout', `nobody signed in within ${timeoutMs / 1000} s`)
  try {
    return await withLimit({ ms: timeoutMs, signal, expired }, () => Promise.race([server.callback, shown]))
  } finally {
    stopTrying()
  }
}

/** Calls `onUrl`. The returned promise never resolves; it rejects if `onUrl` is async and fails later. */
function showUrl({ onUrl }: LoginSettings, url: string): Promise<never> {
  const failed = (cause: unknown) => new AuthorizeError('exchange_failed', 'onUrl failed', { cause })
  try {
    const returned = onUrl?.(url)
    const shown = new Promise<never>((_, reject) => {
      Promise.resolve(returned).catch((cause: unknown) => reject(failed(cause)))
    })
    // It may reject after the login has ended: without a handler, that would end the process.
    shown.catch(() => {})
    return shown
  } catch (cause) {
    throw failed(cause)
  }
}
