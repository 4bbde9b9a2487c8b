import { inspect } from 'node:util'
import { OAuthError } from '@portico/identity'
import { expect } from 'vitest'

/** Part of every secret, code, verifier and access token in these tests, so that one search finds a leak. */
export const MARK = 'S3CR3T'

/** The mark, anything that looks like a token or a signed state, and key material. */
const leaks = [MARK, /eyJ[\w-]{8,}/, /BEGIN [A-Z ]*PRIVATE KEY/]

/** Fails if an error, its details or one of its causes contains a secret. */
export function expectNoLeak(error: unknown): void {
  const shown = `${inspect(error, { depth: 20, showHidden: true, breakLength: Infinity })}\n${JSON.stringify(error)}`
  for (const leak of leaks) expect(shown).not.toMatch(leak)
}

/** Returns the error of a call that must fail. Searches every error of the suite for secrets. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<OAuthError> {
  const outcome = await settle(work)
  if (!('error' in outcome)) throw new Error(`expected a failure, got ${inspect(outcome.value)}`)
  expectNoLeak(outcome.error)
  expect(outcome.error).toBeInstanceOf(OAuthError)
  return outcome.error as OAuthError
}

async function settle(work: Promise<unknown> | (() => unknown)): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await (typeof work === 'function' ? work() : work) }
  } catch (error) {
    return { error }
  }
}
