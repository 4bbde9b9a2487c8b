import type { RegisteredClient } from '../clients.ts'
import { OAuthRefusal } from '../errors.ts'
import { narrowToClient, readScope, type Scopes } from '../scope.ts'
import type { Params } from '../web/params.ts'

/** The content of a valid request. */
export interface RequestedAuthority {
  readonly scope: string
  readonly codeChallenge: string
  readonly nonce: string | undefined
  readonly silent: boolean
  readonly askConsent: boolean
  /** Maximum age of the sign-in; 0 requires a new one. */
  readonly maxAgeSec: number | undefined
  /** The requested prompts among `login` and `select_account`. */
  readonly prompt: string | undefined
  readonly loginHint: string | undefined
  readonly acrValues: string | undefined
  readonly uiLocales: string | undefined
}

interface RequestCheck {
  readonly params: Params
  readonly client: RegisteredClient | undefined
  readonly scopes: Scopes
}

/**
 * The parameters that this server acts on. RFC 6749 §3.1 says to ignore all others, and OpenID Connect Core 3.1.2.1
 * those of its own that a server does not support: `display`, `claims_locales`, `claims`.
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

/** Ample for every parameter. */
const MAX_LENGTH = 2048
const MAX_HINT = 512

/** The checks, in the order of the standards. Each throws its refusal, which goes to the redirect URI of the client. */
const checks: readonly ((check: RequestCheck) => void)[] = [
  checkRepetition,
  checkLengths,
  checkRequestObjects,
  checkResponseType,
  checkChallenge,
  checkPrompt,
  checkMaxAge,
]

/** Checks a request whose client and redirect URI are valid. */
export function checkRequest(check: RequestCheck): RequestedAuthority {
  for (const runCheck of checks) runCheck(check)
  const { params, client, scopes } = check
  const prompts = promptsOf(params)
  const maxAge = prompts.includes('login') ? '0' : params.get('max_age')
  // OpenID Connect Core 3.1.2.1: `max_age=0` means the same as `prompt=login`.
  const wanted = Number(maxAge) === 0 ? ['login', ...prompts] : prompts
  const prompt = [...new Set(wanted)].filter((it) => it === 'login' || it === 'select_account').join(' ')
  return {
    // OpenID Connect Core 3.1.2.1: unknown scopes are ignored. The response lists the granted ones.
    scope: narrowToClient(scopes, readScope(params.get('scope') ?? ''), client).join(' '),
    codeChallenge: params.get('code_challenge')!,
    nonce: params.get('nonce'),
    silent: prompts.includes('none'),
    askConsent: prompts.includes('consent'),
    maxAgeSec: maxAge === undefined ? undefined : Number(maxAge),
    prompt: prompt === '' ? undefined : prompt,
    ...readHints(params),
  }
}

/** Hints are never an error (OpenID Connect Core 3.1.2.1): one that is too long is ignored. */
function readHints(params: Params): Pick<RequestedAuthority, 'loginHint' | 'acrValues' | 'uiLocales'> {
  const read = (name: string): string | undefined => {
    const value = params.get(name)
    return value !== undefined && value.length <= MAX_HINT && !/\p{Cc}/u.test(value) ? value : undefined
  }
  return { loginHint: read('login_hint'), acrValues: read('acr_values'), uiLocales: read('ui_locales') }
}

/** RFC 6749 §3.1: a parameter must not be repeated. */
function checkRepetition({ params }: RequestCheck): void {
  const [name] = params.repeated(known)
  if (name !== undefined) throw new OAuthRefusal('invalid_request', `${name} must not be repeated`)
}

function checkLengths({ params }: RequestCheck): void {
  const name = known.find((it) => (params.get(it)?.length ?? 0) > MAX_LENGTH)
  if (name !== undefined) throw new OAuthRefusal('invalid_request', `${name} is too long`)
}

/** OpenID Connect Core 6.1 and 6.2. */
function checkRequestObjects({ params }: RequestCheck): void {
  if (params.get('request') !== undefined) throw new OAuthRefusal('request_not_supported', 'request is not supported')
  if (params.get('request_uri') !== undefined)
    throw new OAuthRefusal('request_uri_not_supported', 'request_uri is not supported')
}

/** RFC 6749 §3.1.1. */
function checkResponseType({ params }: RequestCheck): void {
  const type = params.get('response_type')
  if (type === undefined) throw new OAuthRefusal('invalid_request', 'response_type is missing')
  if (type !== 'code') throw new OAuthRefusal('unsupported_response_type', 'response_type must be code')
}

/** RFC 7636 §4.2 and §4.4.1. RFC 9700 §2.1.1 requires PKCE of every client; only S256 is accepted. */
function checkChallenge({ params }: RequestCheck): void {
  if (params.get('code_challenge') === undefined) throw new OAuthRefusal('invalid_request', 'code_challenge is missing')
  // Without this parameter the method would be `plain`.
  if (params.get('code_challenge_method') !== 'S256')
    throw new OAuthRefusal('invalid_request', 'code_challenge_method must be S256')
  if (!/^[\w-]{43}$/.test(params.get('code_challenge')!))
    throw new OAuthRefusal('invalid_request', 'code_challenge must be a SHA-256 hash in base64url')
}

/** OpenID Connect Core 3.1.2.1. */
function checkPrompt({ params, client }: RequestCheck): void {
  const prompts = promptsOf(params)
  if (!prompts.every((it) => ['none', 'login', 'consent', 'select_account'].includes(it)))
    throw new OAuthRefusal('invalid_request', 'prompt has an unknown value')
  if (prompts.includes('none') && prompts.length > 1)
    throw new OAuthRefusal('invalid_request', 'prompt none cannot be combined with other values')
  // Loopback clients cannot be distinguished, so their consent cannot be remembered.
  if (prompts.includes('none') && !client)
    throw new OAuthRefusal('consent_required', 'consent of a loopback client is never remembered')
}

function checkMaxAge({ params }: RequestCheck): void {
  if (!/^\d{1,9}$/.test(params.get('max_age') ?? '0'))
    throw new OAuthRefusal('invalid_request', 'max_age must be a whole number of seconds')
}

function promptsOf(params: Params): string[] {
  return (params.get('prompt') ?? '').split(' ').filter((it) => it !== '')
}
