import { createPrivateKey, type JsonWebKey, KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { checkOptional, checkOptions, checkValue, invalidConfig } from '../check-options.ts'
import { type Clock, nowSec } from '../clock.ts'
import { describeCause } from '../errors.ts'
import { anything, nonEmptyString, oneOf } from '../shared/option-checks.ts'
import type { OptionRules } from '../shared/options.ts'
import { algorithms } from './algorithms.ts'

/**
 * Client authentication at the token endpoint: the secret in the form or by HTTP Basic, a JWT signed with the client's key,
 * or nothing (a public client, protected by PKCE only).
 */
export type ClientAuth = 'post' | 'basic' | 'private_key_jwt' | 'none'

/** The key for `private_key_jwt`. */
export interface ClientKey {
  /** PKCS#8 PEM, a JWK, or a private `KeyObject`. */
  readonly privateKey: string | JsonWebKey | KeyObject
  /** `kid` in the header. Needed if the client has several keys at the provider. */
  readonly keyId?: string | undefined
  /** Default: `ES256`, `ES384`, `ES512`, `EdDSA` or `RS256`, depending on the key. */
  readonly alg?: string | undefined
  /** `aud` of the JWT. Default: the issuer. Some providers require the URL of their token endpoint. */
  readonly audience?: string | undefined
}

export interface ClientOptions {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly clientAuth?: ClientAuth | undefined
  readonly clientKey?: ClientKey | undefined
}

/** The parts of a token request that authenticate the client. `sent` lists the secrets in them. */
export interface ClientProof {
  readonly form: Record<string, string>
  readonly headers: Record<string, string>
  readonly sent: string[]
}

const methods = ['post', 'basic', 'private_key_jwt', 'none'] as const satisfies ClientAuth[]
const ASSERTION_TTL_SEC = 60

export function checkClientOptions({ clientId, clientSecret, clientAuth, clientKey }: ClientOptions): void {
  checkValue(clientId, 'clientId', nonEmptyString)
  checkOptional(clientAuth, 'clientAuth', oneOf(...methods))
  if (clientAuth === 'private_key_jwt' || clientAuth === 'none')
    checkOptional(clientSecret, 'clientSecret', nonEmptyString)
  else checkValue(clientSecret, 'clientSecret', nonEmptyString)
  if (clientAuth === 'private_key_jwt') readClientKey(clientKey)
  else if (clientKey !== undefined) throw invalidConfig("`clientKey` needs `clientAuth: 'private_key_jwt'`")
}

/** RFC 6749 §2.3.1: the secret in the form, or both parts form-encoded in the header. */
export function proveBySecret(clientAuth: 'post' | 'basic', clientId: string, secret: string): ClientProof {
  if (clientAuth === 'post')
    return { form: { client_id: clientId, client_secret: secret }, headers: {}, sent: [secret] }
  const [id, encoded] = [clientId, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1))
  const credentials = Buffer.from(`${id}:${encoded}`).toString('base64')
  return { form: {}, headers: { authorization: `Basic ${credentials}` }, sent: [secret, credentials] }
}

/** RFC 7523 §2.2: a JWT for a single request, valid for a minute. */
export async function proveByKey(
  { clientId, clientKey }: ClientOptions,
  issuer: string,
  clock: Clock,
): Promise<ClientProof> {
  const { key, alg } = readClientKey(clientKey)
  const { keyId, audience = issuer } = clientKey!
  const iat = Math.floor(nowSec(clock))
  const assertion = await new SignJWT({ iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat })
    .setExpirationTime(iat + ASSERTION_TTL_SEC)
    .setProtectedHeader({ alg, ...(keyId !== undefined && { kid: keyId }) })
    .sign(key)
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const form = { client_id: clientId, client_assertion_type: type, client_assertion: assertion }
  return { form, headers: {}, sent: [assertion] }
}

const clientKeyRules: OptionRules<ClientKey> = {
  privateKey: anything,
  keyId: nonEmptyString,
  alg: anything,
  audience: nonEmptyString,
}

function readClientKey(clientKey: ClientKey | undefined): { key: KeyObject; alg: string } {
  checkOptions(clientKey, clientKeyRules, 'clientKey')
  const { privateKey, alg } = clientKey!
  const key = readPrivateKey(privateKey)
  const fitting = algFor(key)
  if (fitting === undefined || (alg !== undefined && !(algorithms.has(alg) && isSameFamily(alg, fitting))))
    throw invalidConfig('`clientKey.alg` must be an asymmetric algorithm that fits `clientKey.privateKey`')
  return { key, alg: alg ?? fitting }
}

function readPrivateKey(privateKey: unknown): KeyObject {
  const expected = '`clientKey.privateKey` must be a private key: PKCS#8 PEM, a JWK or a KeyObject'
  try {
    const key = privateKey instanceof KeyObject ? privateKey : createKey(privateKey)
    if (key.type === 'private') return key
  } catch (error) {
    throw invalidConfig(expected, describeCause(error))
  }
  throw invalidConfig(expected)
}

function createKey(privateKey: unknown): KeyObject {
  if (typeof privateKey === 'string') return createPrivateKey(privateKey)
  return createPrivateKey({ key: privateKey as JsonWebKey, format: 'jwk' })
}

function algFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  const curves: Record<string, string> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }
  return curves[asymmetricKeyDetails?.namedCurve ?? '']
}

/** An RSA key works for all of RS* and PS*; a curve has one algorithm. */
function isSameFamily(alg: string, fitting: string): boolean {
  const [a, b] = [algorithms.get(alg), algorithms.get(fitting)]
  return a?.kty === b?.kty && a?.crv === b?.crv
}
