import { defineRoute, type RouteDefinition, reply } from '@portico/http'
import type { Context } from '../context.ts'
import { openPreflight } from '../web/cors.ts'
import { describedAs } from '../web/oauth-route.ts'
import { keySetSchema, metadataSchema } from './discovery-schemas.ts'

/** The metadata of RFC 8414 and OpenID Connect Discovery, and the key set of RFC 7517. */
export function discoveryRoutes({ settings, keys }: Context): RouteDefinition[] {
  const metadata = describeServer(settings.issuer, Object.keys(settings.scopes))
  const publish = (path: string, label: string, read: () => Promise<object>): RouteDefinition[] => [
    defineRoute({
      method: 'GET',
      path,
      label,
      metadata: describedAs,
      returns: path === '/auth/jwks' ? keySetSchema : metadataSchema,
      // Pages of all sites may read them: the documents are public.
      handler: async () =>
        reply(await read(), {
          headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
        }),
    }),
    openPreflight(path),
  ]
  return [
    ...publish('/.well-known/openid-configuration', 'OpenID Connect metadata', async () => metadata),
    ...publish('/.well-known/oauth-authorization-server', 'OAuth 2.0 metadata', async () => metadata),
    ...publish('/auth/jwks', 'Keys that verify id tokens', async () => ({ keys: await keys.published() })),
  ]
}

function describeServer(issuer: string, scopes: readonly string[]): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth/authorize`,
    token_endpoint: `${issuer}/auth/token`,
    userinfo_endpoint: `${issuer}/auth/userinfo`,
    revocation_endpoint: `${issuer}/auth/revoke`,
    jwks_uri: `${issuer}/auth/jwks`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      'email',
      'email_verified',
      'name',
      'picture',
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
