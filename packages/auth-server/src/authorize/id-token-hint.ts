import { compactVerify, createLocalJWKSet } from 'jose'
import type { Context } from '../context.ts'

/** Ample for our own id tokens. */
const MAX_LENGTH = 4096

/**
 * The user of an id token that this server issued, even an expired one (OpenID Connect Core 3.1.2.1, `id_token_hint`);
 * `undefined` for any other.
 */
export async function readIdTokenHint({ keys, settings }: Context, token: string): Promise<string | undefined> {
  if (token.length > MAX_LENGTH) return undefined
  const published = createLocalJWKSet({ keys: await keys.published() })
  const verified = await compactVerify(token, published, { algorithms: ['ES256', 'RS256'] }).catch(() => undefined)
  if (!verified) return undefined
  const { iss, sub } = JSON.parse(new TextDecoder().decode(verified.payload)) as { iss?: unknown; sub?: unknown }
  return iss === settings.issuer && typeof sub === 'string' ? sub : undefined
}
