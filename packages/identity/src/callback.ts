import { OAuthError, readErrorCode } from './errors.ts'
import { isObject } from './shared/objects.ts'

/** The parameters of a successful callback. */
export interface CallbackResult {
  code: string
  state: string
  /** JSON text about the person. Form-post providers send it with the first login only, unsigned. */
  user?: string
}

/** The query or the form body of a callback. */
export type CallbackParams = URLSearchParams | Record<string, string | string[] | undefined>

/**
 * Reads the callback of a provider. Throws `PROVIDER_DENIED` for an `error`, then `STATE_INVALID` for a missing or repeated
 * state, then `EXCHANGE_FAILED` for a missing or repeated code.
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

/** Other objects have no such parameters. Without this check they would read as a callback without a state. */
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
 * Checks `iss` (RFC 9207 §2.4). If present it must equal `issuer`. It is required if the provider's metadata says that it
 * always sends one.
 */
export function checkCallbackIssuer(params: CallbackParams, issuer: string, isRequired: boolean): void {
  checkParams(params)
  const given = valuesOf(params, 'iss')
  if (given.length === 0 ? !isRequired : given.length === 1 && given[0] === issuer) return
  throw new OAuthError('STATE_INVALID', 'The callback does not come from the provider’s issuer', { check: 'iss' })
}

/** All values, of any type: body parsers turn `error[x]=y` into an object, which is still an error. */
function valuesOf(params: CallbackParams, name: string): unknown[] {
  if (params instanceof URLSearchParams) return params.getAll(name)
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  return [value ?? []].flat()
}
