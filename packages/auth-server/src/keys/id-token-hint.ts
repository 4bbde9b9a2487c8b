import { compactVerify, createLocalJWKSet } from 'jose'
import type { Context } from '../context.ts'

/** Longer than an id token of ours is. */
const MAX_LENGTH = 4096

/** Whom an id token of this server names, whatever its age (OpenID Connect Core 3.1.2.1, `id_token_hint`); `undefined` for any other. */
export async function readIdTokenHint({ keys, settings }: Context, token: string): Promise<string | undefined> {
  if (token.length > MAX_LENGTH) return undefined
  const published = createLocalJWKSet({ keys: await keys.published() })
  const verified = await compactVerify(token, published, { algorithms: ['ES256', 'RS256'] }).catch(() => undefined)
  if (!verified) return undefined
  const { iss, sub } = JSON.parse(new TextDecoder().decode(verified.payload)) as { iss?: unknown; sub?: unknown }
  return iss === settings.issuer && typeof sub === 'string' ? sub : undefined
}
