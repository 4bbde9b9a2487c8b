import type { LoginSecrets } from './pkce.ts'
import type { LoginSettings } from './settings.ts'

/** Adds the parameters of RFC 6749 section 4.1.1 and RFC 7636 section 4.3 to the authorize endpoint. */
export function buildAuthorizeUrl(settings: LoginSettings, secrets: LoginSecrets, redirectUri: string): string {
  const url = new URL(settings.authorizeUrl)
  const query = url.searchParams
  query.set('response_type', 'code')
  query.set('redirect_uri', redirectUri)
  query.set('state', secrets.state)
  query.set('code_challenge', secrets.challenge)
  query.set('code_challenge_method', 'S256')
  if (settings.clientId !== undefined) query.set('client_id', settings.clientId)
  if (settings.scope !== '') query.set('scope', settings.scope)
  return url.href
}
