import { OAuthError, readErrorCode } from './errors.ts'
import { isObject } from './shared/objects.ts'

/** What a good callback carries. */
export interface CallbackResult {
  code: string
  state: string
  /** What a form-post provider sends along with a person's first login: JSON text, unsigned. */
  user?: string
}

/** The parameters of a callback, from its query or its form body. */
export type CallbackParams = URLSearchParams | Record<string, string | string[] | undefined>

/**
 * Reads the parameters a provider sent back. `error` comes first (`PROVIDER_DENIED`), then the state (missing or
 * repeated: `STATE_INVALID`), then the code (missing or repeated: `EXCHANGE_FAILED`).
 *
 * ```ts
 * const { code, state } = readCallback(new URL(request.url, base).searchParams)
 * ```
 */
export function readCallback(params: CallbackParams): CallbackResult {
  checkParams(params)
  const errors = valuesOf(params, 'error')
  if (errors.length > 0) {
    const error = readErrorCode(errors[0])
    throw new OAuthError('PROVIDER_DENIED', undefined, error === undefined ? {} : { error })
  }
  const state = onlyValueOf(params, 'state')
  if (!state) throw new OAuthError('STATE_INVALID', 'The callback must carry exactly one state')
  const code = onlyValueOf(params, 'code')
  if (!code) throw new OAuthError('EXCHANGE_FAILED', 'The callback must carry exactly one code')
  const user = onlyValueOf(params, 'user')
  return user ? { code, state, user } : { code, state }
}

/** Objects of other kinds have no parameters of their own: without this they would read as a callback without state. */
function checkParams(params: unknown): void {
  const isOther = [URL, FormData, Request, Map].some((kind) => params instanceof kind)
  if (!isObject(params) || isOther)
    throw new OAuthError(
      'STATE_INVALID',
      'readCallback takes URLSearchParams or an object of parameters, such as new URL(request.url, base).searchParams',
    )
}

function onlyValueOf(params: CallbackParams, name: string): string | undefined {
  const [value, ...more] = valuesOf(params, name)
  return typeof value === 'string' && more.length === 0 ? value : undefined
}

/**
 * Holds a callback to the issuer that it must come from (RFC 9207 §2.4): an `iss` that is there has to be this one, and
 * where the provider says that it always sends one, it has to be there.
 */
export function checkCallbackIssuer(params: CallbackParams, issuer: string, isRequired: boolean): void {
  checkParams(params)
  const given = valuesOf(params, 'iss')
  if (given.length === 0 ? !isRequired : given.length === 1 && given[0] === issuer) return
  throw new OAuthError('STATE_INVALID', 'The callback does not come from the provider’s issuer', { check: 'iss' })
}

/** All values, of whatever kind: body parsers make objects of `error[x]=y`, and that is still an error. */
function valuesOf(params: CallbackParams, name: string): unknown[] {
  if (params instanceof URLSearchParams) return params.getAll(name)
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  return [value ?? []].flat()
}
