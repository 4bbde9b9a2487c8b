import type { JsonSchema } from '@portico/schema/runtime'

const url: JsonSchema = { type: 'string', format: 'uri' }
const texts: JsonSchema = { type: 'array', items: { type: 'string' } }

/** The metadata of RFC 8414 §2. Other members are allowed. */
export const metadataSchema: JsonSchema = {
  type: 'object',
  properties: {
    issuer: url,
    authorization_endpoint: url,
    token_endpoint: url,
    jwks_uri: url,
    scopes_supported: texts,
    response_types_supported: texts,
    grant_types_supported: texts,
    code_challenge_methods_supported: texts,
  },
  required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'response_types_supported'],
  additionalProperties: true,
}

/** A key set (RFC 7517 §5). */
export const keySetSchema: JsonSchema = {
  type: 'object',
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kty: { type: 'string' },
          kid: { type: 'string' },
          alg: { type: 'string' },
          use: { type: 'string' },
        },
        required: ['kty', 'kid'],
        additionalProperties: true,
      },
    },
  },
  required: ['keys'],
}
