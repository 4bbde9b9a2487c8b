import { expect, test } from 'vitest'
import { idTokenChecks } from '../../src/oidc/id-token.ts'
import { TestClock } from '../support/clock.ts'
import { forge, rsa, signWith } from '../support/keys.ts'

const header = { alg: 'RS256', kid: rsa.kid }
const claims = { sub: 'ada' }

/** Only the signature check, as if the algorithm check had accepted the token. */
function isSigned(signingAlgs: string[]): boolean | Promise<boolean> {
  const check = idTokenChecks.find((it) => it.name === 'signature')!
  return check.passes(
    { text: forge(header, claims, signWith(rsa)), isJws: true, header, claims },
    {
      issuer: 'https://login.example',
      clientId: 'client-1',
      signingAlgs,
      keys: async function* () {
        yield rsa.publicKey
      },
      clock: new TestClock(),
      toleranceSec: 5,
      nonce: undefined,
      accessToken: undefined,
    },
  )
}

test('a signature is valid only with a configured algorithm, whatever was checked before', async () => {
  expect(await isSigned(['RS256'])).toBe(true)
  expect(await isSigned(['ES256', 'RS384'])).toBe(false)
  expect(await isSigned([])).toBe(false)
})
