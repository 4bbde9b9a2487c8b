import { expect, test } from 'vitest'
import type { FetchLike } from '../../src/fetch.ts'
import { RemoteKeySet } from '../../src/oidc/key-set.ts'
import { TestClock } from '../support/clock.ts'

/** A key set without kids that rotates with every fetch. */
function rotating() {
  const clock = new TestClock()
  let fetches = 0
  const fetch: FetchLike = async () => {
    fetches += 1
    const body = { keys: [{ kty: 'RSA', n: `modulus-${fetches}` }] }
    return { ok: true, status: 200, json: async () => body, text: async () => JSON.stringify(body) }
  }
  const settings = { clock, fetch, jwksCacheTtlMs: 3_600_000, refreshOnUnknownKid: true }
  const set = new RemoteKeySet(async () => 'https://login.example/jwks', settings)
  return { clock, set, fetches: () => fetches }
}

const modulus = ({ value }: IteratorResult<unknown, unknown>) => (value as { n: string } | undefined)?.n

test('a verification gets newer keys that another one has fetched, without a fetch of its own', async () => {
  const { clock, set, fetches } = rotating()
  const [slow, quick] = [set.keysFor({ alg: 'RS256' }), set.keysFor({ alg: 'RS256' })]
  expect([modulus(await slow.next()), modulus(await quick.next())]).toEqual(['modulus-1', 'modulus-1'])
  clock.advance(31)
  expect(modulus(await quick.next())).toBe('modulus-2')
  expect(modulus(await slow.next())).toBe('modulus-2')
  expect(fetches()).toBe(2)
})

test('a verification that finds its key fetches nothing more', async () => {
  const { clock, set, fetches } = rotating()
  clock.advance(31)
  for await (const key of set.keysFor({ alg: 'RS256' })) {
    expect(key.n).toBe('modulus-1')
    break
  }
  expect(fetches()).toBe(1)
})
