import { createHash } from 'node:crypto'
import { createPkcePair, generateNonce, generateRandomState, pkceChallengeFor } from '@portico/identity'
import { describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'

describe('PKCE', () => {
  test('the challenge matches RFC 7636, appendix B', () => {
    expect(pkceChallengeFor('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  test('a pair is 32 random bytes and their S256 challenge', () => {
    const pair = createPkcePair()
    expect(pair.verifier).toMatch(/^[\w-]{43}$/)
    expect(pair).toEqual({
      verifier: pair.verifier,
      challenge: createHash('sha256').update(pair.verifier).digest('base64url'),
      method: 'S256',
    })
    expect(createPkcePair().verifier).not.toBe(pair.verifier)
  })
})

describe.each([
  ['generateNonce', generateNonce],
  ['generateRandomState', generateRandomState],
])('%s', (_name, generate) => {
  test('is 32 random bytes as base64url, or the requested number', () => {
    expect(generate()).toMatch(/^[\w-]{43}$/)
    expect(generate(16)).toMatch(/^[\w-]{22}$/)
    expect(new Set(Array.from({ length: 100 }, () => generate())).size).toBe(100)
  })

  test.each([0, -1, 1.5, Number.NaN, 65_537, '8' as never])('refuses %s bytes', async (bytes) => {
    expect((await failureOf(() => generate(bytes))).type).toBe('INVALID_CONFIG')
  })
})
