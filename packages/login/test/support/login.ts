import {
  AuthorizeError,
  type AuthorizeErrorCode,
  type AuthorizeOptions,
  type AuthorizeResult,
  authorize,
} from '@portico/login'
import { expect } from 'vitest'

/** A running login: its authorize URL and its result. */
export interface Login {
  readonly url: URL
  readonly redirectUri: string
  readonly state: string
  readonly port: number
  readonly result: Promise<AuthorizeResult>
  /** The callback URL with these parameters. */
  callback(parameters: Record<string, string>): string
}

/** Starts `authorize` without a browser and waits for its URL. */
export async function startLogin(options: AuthorizeOptions): Promise<Login> {
  let result: Promise<AuthorizeResult> | undefined
  const url = await new Promise<string>((resolve, reject) => {
    result = authorize({ openBrowser: false, ...options, onUrl: resolve })
    result.catch(reject)
  })
  const query = new URL(url).searchParams
  const redirectUri = query.get('redirect_uri') ?? ''
  return {
    url: new URL(url),
    redirectUri,
    state: query.get('state') ?? '',
    port: Number(new URL(redirectUri).port),
    result: result as Promise<AuthorizeResult>,
    callback: (parameters) => `${redirectUri}?${new URLSearchParams(parameters)}`,
  }
}

/** Signs in like a browser: follows the redirects from the authorize URL, and returns the last page. */
export async function signIn(
  options: AuthorizeOptions,
): Promise<{ result: AuthorizeResult; page: Response; text: string }> {
  const login = await startLogin(options)
  const page = await fetch(login.url)
  const text = await page.text()
  return { result: await login.result, page, text }
}

/** The error of a login. Fails unless it is an `AuthorizeError` with this code. */
export async function expectFailure(login: Promise<unknown>, code: AuthorizeErrorCode): Promise<AuthorizeError> {
  const error: unknown = await login.then(
    () => expect.fail(`the login succeeded; expected ${code}`),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AuthorizeError)
  expect((error as AuthorizeError).code).toBe(code)
  return error as AuthorizeError
}

/** The error of a login that a browser completed. */
export async function failSignIn(
  options: AuthorizeOptions,
  code: AuthorizeErrorCode,
): Promise<{ error: AuthorizeError; page: Response; text: string }> {
  const login = await startLogin(options)
  const failure = expectFailure(login.result, code)
  const page = await fetch(login.url)
  const text = await page.text()
  return { error: await failure, page, text }
}
