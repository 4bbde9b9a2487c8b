import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { checkOptions, checkValue, invalidConfig } from '../check-options.ts'
import { nowSec } from '../clock.ts'
import { describeCause, namingProvider } from '../errors.ts'
import type { Filled } from '../filled.ts'
import { readText } from '../profile.ts'
import type { ExchangeArgs, NormalizedProfile } from '../provider.ts'
import { isObject } from '../shared/objects.ts'
import { expecting, nonEmptyString } from '../shared/option-checks.ts'
import { OidcProvider, type OidcProviderOptions } from './oidc.ts'

/** The issuer that `GammaProvider` is pinned to. */
export const GAMMA_ISSUER = 'https://gamma.example'

export interface GammaProviderOptions
  extends Omit<
    OidcProviderOptions,
    'id' | 'issuer' | 'clientSecret' | 'clientAuth' | 'clientKey' | 'idTokenSigningAlgs' | 'scopes'
  > {
  /** Client identifier registered with the provider. */
  readonly clientId: string
  /** 10 characters; `iss` of the client secret. */
  readonly teamId: string
  /** `kid` of the client secret. */
  readonly keyId: string
  /** EC P-256 private key, PKCS#8 PEM. */
  readonly privateKey: string
  /** Default `['openid', 'email']`. */
  readonly scopes?: string[] | undefined
  /** Lifetime of a client secret in seconds. Default 3600, at most 15777000 (about 6 months). */
  readonly clientSecretTtlSec?: number | undefined
}

export interface GammaExchangeArgs extends ExchangeArgs {
  /**
   * The `user` field of the form post, as text or parsed: `{ name: { firstName, lastName } }`. Gamma sends it with the first
   * login only, and it is the only source of a name.
   */
  readonly user?: string | { name?: { firstName?: string; lastName?: string } } | undefined
}

const MAX_TTL_SEC = 15_777_000

/**
 * Sign-in with Gamma: OpenID Connect pinned to `GAMMA_ISSUER` and ES256. The id is `gamma`. The callback is a form post
 * (`response_mode=form_post`). The client secret is a JWT, signed with your private key for each request.
 *
 * ```ts
 * const gamma = new GammaProvider({ clientId, teamId, keyId, privateKey })
 * const profile = await gamma.exchange({ ...readCallback(formBody), redirectUri, codeVerifier, expectedNonce })
 * ```
 */
export class GammaProvider extends OidcProvider {
  readonly #options: Filled<Pick<GammaProviderOptions, 'clientId' | 'teamId' | 'keyId' | 'clientSecretTtlSec'>>
  readonly #privateKey: KeyObject

  constructor(options: GammaProviderOptions) {
    namingProvider('gamma', () => checkOptions(options, {}))
    const { teamId, keyId, privateKey, clientSecretTtlSec = 3600, scopes = ['openid', 'email'], ...rest } = options
    super({
      ...rest,
      id: 'gamma',
      issuer: GAMMA_ISSUER,
      scopes,
      idTokenSigningAlgs: ['ES256'],
      // A placeholder that is never sent: `clientSecret()` creates the secret for each request.
      clientSecret: 'created for each request',
    })
    this.#options = { clientId: options.clientId, teamId, keyId, clientSecretTtlSec }
    this.#privateKey = namingProvider('gamma', () => {
      checkValue(teamId, 'teamId', tenCharacters)
      checkValue(keyId, 'keyId', nonEmptyString)
      checkValue(clientSecretTtlSec, 'clientSecretTtlSec', clientSecretTtl)
      return readPrivateKey(privateKey)
    })
  }

  override async exchange(args: GammaExchangeArgs): Promise<NormalizedProfile> {
    const profile = await super.exchange(args)
    const displayName = profile.displayName ?? readName(args.user)
    return displayName === undefined ? profile : { ...profile, displayName }
  }

  protected override clientSecret(): Promise<string> {
    const { clientId, teamId, keyId, clientSecretTtlSec } = this.#options
    const iat = Math.floor(nowSec(this.clock))
    return new SignJWT({ iss: teamId, sub: clientId, aud: GAMMA_ISSUER, iat, exp: iat + clientSecretTtlSec })
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .sign(this.#privateKey)
  }

  protected override authorizationParams(): Record<string, string> {
    return { response_mode: 'form_post' }
  }

  /** Gamma sends booleans as strings. */
  protected override profileFrom(claims: Record<string, unknown>): NormalizedProfile {
    const verified = claims['email_verified']
    const isText = verified === 'true' || verified === 'false'
    const profile = super.profileFrom(claims)
    return isText ? { ...profile, emailVerified: verified === 'true' } : profile
  }
}

const tenCharacters = expecting('a string of 10 characters', (it) => typeof it === 'string' && it.length === 10)

const clientSecretTtl = expecting(
  `a positive number of seconds, at most ${MAX_TTL_SEC}`,
  (it) => typeof it === 'number' && it > 0 && it <= MAX_TTL_SEC,
)

function readPrivateKey(pem: unknown): KeyObject {
  const expected = '`privateKey` must be an EC P-256 private key in PKCS#8 PEM'
  if (typeof pem !== 'string' || !pem.includes('-----BEGIN PRIVATE KEY-----')) throw invalidConfig(expected)
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (error) {
    throw invalidConfig(expected, describeCause(error))
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw invalidConfig(expected)
  return key
}

/** The name comes unsigned through the browser: use it for display only. */
function readName(user: unknown): string | undefined {
  const name = isObject(user) ? user['name'] : parseUser(user)
  if (!isObject(name)) return undefined
  const parts = [name['firstName'], name['lastName']].map((part) => readText(part)?.trim())
  const full = parts.filter(Boolean).join(' ')
  return full === '' || full.length > 200 || /\p{Cc}/u.test(full) ? undefined : full
}

function parseUser(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    const user: unknown = JSON.parse(text)
    return isObject(user) ? user['name'] : undefined
  } catch {
    return undefined
  }
}
