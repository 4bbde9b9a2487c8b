import type { RegisteredClient } from '../clients.ts'
import { OAuthRefusal } from '../errors.ts'
import { narrowToClient, readScope, type Scopes } from '../scope.ts'
import type { Params } from '../web/params.ts'

/** What a valid request asks for. */
export interface RequestedAuthority {
  readonly scope: string
  readonly codeChallenge: string
  readonly nonce?: string
  readonly silent: boolean
  readonly askConsent: boolean
  /** Only a sign-in of at most this many seconds ago counts; 0 asks for one from now on. */
  readonly maxAgeSec?: number
  /** Which of `login` and `select_account` were asked for. */
  readonly prompt?: string
  readonly loginHint?: string
  readonly acrValues?: string
  readonly uiLocales?: string
}

interface Subject {
  readonly params: Params
  readonly client: RegisteredClient | undefined
  readonly scopes: Scopes
}

/**
 * Parameters with a meaning here. RFC 6749 §3.1 has all others ignored, and OpenID Connect Core 3.1.2.1 those of its own
 * that a server does not act on: `display`, `claims_locales`, `claims`.
 */
export const known: readonly string[] = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'request',
  'request_uri',
]

/** Longer than any of them needs to be. */
const MAX_LENGTH = 2048
const MAX_HINT = 512

/** The checks in the order of the standards. Each throws what it refuses; the client learns it at its redirect URI. */
const checks: readonly ((subject: Subject) => void)[] = [
  checkRepetition,
  checkLengths,
  checkRequestObjects,
  checkResponseType,
  checkChallenge,
  checkPrompt,
  checkMaxAge,
]

/** Checks a request whose client and redirect URI are in order already. */
export function checkRequest(subject: Subject): RequestedAuthority {
  for (const check of checks) check(subject)
  const { params, client, scopes } = subject
  const prompts = promptsOf(params)
  const nonce = params.get('nonce')
  const maxAge = prompts.includes('login') ? '0' : params.get('max_age')
  // OpenID Connect Core 3.1.2.1: `max_age=0` means the same as `prompt=login`.
  const wanted = Number(maxAge) === 0 ? ['login', ...prompts] : prompts
  const prompt = [...new Set(wanted)].filter((it) => it === 'login' || it === 'select_account').join(' ')
  return {
    // OpenID Connect Core 3.1.2.1: a scope that is not understood is ignored. The answer says what was granted.
    scope: narrowToClient(scopes, readScope(params.get('scope') ?? ''), client).join(' '),
    codeChallenge: params.get('code_challenge')!,
    ...(nonce !== undefined && { nonce }),
    silent: prompts.includes('none'),
    askConsent: prompts.includes('consent'),
    ...(maxAge !== undefined && { maxAgeSec: Number(maxAge) }),
    ...(prompt !== '' && { prompt }),
    ...readHints(params),
  }
}

/** Hints are never an error (OpenID Connect Core 3.1.2.1): one that is longer than any needs to be is passed over. */
function readHints(params: Params): Pick<RequestedAuthority, 'loginHint' | 'acrValues' | 'uiLocales'> {
  const read = (name: string): string | undefined => {
    const value = params.get(name)
    return value !== undefined && value.length <= MAX_HINT && !/\p{Cc}/u.test(value) ? value : undefined
  }
  const [loginHint, acrValues, uiLocales] = ['login_hint', 'acr_values', 'ui_locales'].map(read)
  return {
    ...(loginHint !== undefined && { loginHint }),
    ...(acrValues !== undefined && { acrValues }),
    ...(uiLocales !== undefined && { uiLocales }),
  }
}

/** RFC 6749 §3.1: no parameter more than once. */
function checkRepetition({ params }: Subject): void {
  const [name] = params.repeated(known)
  if (name !== undefined) throw new OAuthRefusal('invalid_request', `${name} must not be repeated`)
}

function checkLengths({ params }: Subject): void {
  const name = known.find((it) => (params.get(it)?.length ?? 0) > MAX_LENGTH)
  if (name !== undefined) throw new OAuthRefusal('invalid_request', `${name} is too long`)
}

/** OpenID Connect Core 6.1 and 6.2. */
function checkRequestObjects({ params }: Subject): void {
  if (params.get('request') !== undefined) throw new OAuthRefusal('request_not_supported', 'request is not supported')
  if (params.get('request_uri') !== undefined)
    throw new OAuthRefusal('request_uri_not_supported', 'request_uri is not supported')
}

/** RFC 6749 §3.1.1. */
function checkResponseType({ params }: Subject): void {
  const type = params.get('response_type')
  if (type === undefined) throw new OAuthRefusal('invalid_request', 'response_type is missing')
  if (type !== 'code') throw new OAuthRefusal('unsupported_response_type', 'response_type must be code')
}

/** RFC 7636 §4.2 and §4.4.1; RFC 9700 §2.1.1 wants it of everybody, and S256 alone. */
function checkChallenge({ params }: Subject): void {
  if (params.get('code_challenge') === undefined) throw new OAuthRefusal('invalid_request', 'code_challenge is missing')
  // Left out it would mean `plain`.
  if (params.get('code_challenge_method') !== 'S256')
    throw new OAuthRefusal('invalid_request', 'code_challenge_method must be S256')
  if (!/^[\w-]{43}$/.test(params.get('code_challenge')!))
    throw new OAuthRefusal('invalid_request', 'code_challenge must be a SHA-256 hash in base64url')
}

/** OpenID Connect Core 3.1.2.1. */
function checkPrompt({ params, client }: Subject): void {
  const prompts = promptsOf(params)
  if (!prompts.every((it) => ['none', 'login', 'consent', 'select_account'].includes(it)))
    throw new OAuthRefusal('invalid_request', 'prompt has an unknown value')
  if (prompts.includes('none') && prompts.length > 1)
    throw new OAuthRefusal('invalid_request', 'prompt none excludes others')
  // Loopback clients are not told apart, so no consent of theirs can be remembered.
  if (prompts.includes('none') && !client) throw new OAuthRefusal('consent_required', 'a loopback client always asks')
}

function checkMaxAge({ params }: Subject): void {
  if (!/^\d{1,9}$/.test(params.get('max_age') ?? '0'))
    throw new OAuthRefusal('invalid_request', 'max_age must be a whole number of seconds')
}

function promptsOf(params: Params): string[] {
  return (params.get('prompt') ?? '').split(' ').filter((it) => it !== '')
}
