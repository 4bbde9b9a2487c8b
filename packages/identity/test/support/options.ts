import { expect } from 'vitest'
import { failureOf } from './failure.ts'

/** Builds with each wrong option and expects an `INVALID_CONFIG` that names the option but not its value. */
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

/** Not a non-empty string. */
export const notString: readonly unknown[] = [undefined, null, '', 7, {}]
/** Given, but not a non-empty string. */
export const wrongString: readonly unknown[] = [null, '', 7, {}]
/** Given, but not a URL that may receive secrets. */
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
export const wrongStrings: readonly unknown[] = [null, 'openid', [''], [7]]
