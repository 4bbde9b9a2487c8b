import { expect } from 'vitest'
import { failureOf } from './failure.ts'

/** Builds with each wrong option in turn and expects `INVALID_CONFIG` that names the option and not its value. */
export async function expectOptionsChecked(
  build: (extra: Record<string, unknown>) => unknown,
  wrong: Record<string, readonly unknown[]>,
): Promise<void> {
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const error = await failureOf(async () => build({ [name]: value }))
      expect(error.type, `${name}: ${JSON.stringify(value)}`).toBe('INVALID_CONFIG')
      expect(error.message).toContain(name)
    }
  }
}

/** What is no non-empty text. */
export const notText: readonly unknown[] = [undefined, null, '', 7, {}]
/** What is there and no non-empty text. */
export const wrongText: readonly unknown[] = [null, '', 7, {}]
/** What is there and no endpoint to send secrets to. */
export const wrongEndpoint: readonly unknown[] = [
  null,
  '',
  'login.example',
  '/token',
  'http://login.example/token',
  'http://127.0.0.1.evil.example/',
  'http://[::2]/',
  'ftp://login.example/',
  'https://login.example/#fragment',
  'https://user@login.example/',
]
export const wrongDuration: readonly unknown[] = [null, -1, Number.NaN, Number.POSITIVE_INFINITY, '5']
export const wrongTexts: readonly unknown[] = [null, 'openid', [''], [7]]
