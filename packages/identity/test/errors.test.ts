import { OAuthError, type OAuthErrorType } from '@portico/identity'
import { describe, expect, test } from 'vitest'

const types: Record<OAuthErrorType, string> = {
  UNKNOWN_PROVIDER: 'No provider is registered under this id',
  INVALID_CONFIG: 'The configuration is not valid',
  STATE_INVALID: 'The state was not issued here',
  STATE_EXPIRED: 'The state has expired',
  PROVIDER_DENIED: 'The provider did not grant the sign-in',
  EXCHANGE_FAILED: 'The code could not be exchanged for a profile',
  JWKS_FAILED: 'The provider’s keys could not be obtained',
  ID_TOKEN_INVALID: 'The id token is not valid',
  EMAIL_UNAVAILABLE: 'The profile has no email address',
}

describe('OAuthError', () => {
  test.each(Object.entries(types) as [OAuthErrorType, string][])('of type %s has the message: %s', (type, message) => {
    const error = new OAuthError(type)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'OAuthError', type, message, details: {} })
    expect(error.cause).toBeUndefined()
    expect(String(error)).toBe(`OAuthError: ${message}`)
  })

  test('accepts a message, details and a cause', () => {
    const cause = new Error('because')
    const details = { status: 400 }
    const error = new OAuthError('EXCHANGE_FAILED', 'no luck', details, { cause })
    expect(error).toMatchObject({ message: 'no luck', details, cause })
    details.status = 500
    expect(error.details).toEqual({ status: 400 })
  })
})
