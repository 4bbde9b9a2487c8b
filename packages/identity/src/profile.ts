import { OAuthError } from './errors.ts'
import type { NormalizedProfile } from './provider.ts'

/** Longer than any address can be (RFC 5321 §4.5.3.1), and as long as a column of text in an index may be everywhere. */
const MAX_EMAIL_LENGTH = 512

/** What is kept of a profile must be text of a length that stores can hold; anything else is the provider's mistake. */
export function checkProfileText(profile: NormalizedProfile): void {
  const limits = { subject: 255, email: MAX_EMAIL_LENGTH, displayName: 4096, avatarUrl: 4096 }
  for (const [field, max] of Object.entries(limits)) {
    const value: unknown = profile[field as keyof typeof limits]
    if (value === undefined || (typeof value === 'string' && value.length <= max)) continue
    const { provider } = profile
    throw new OAuthError('EXCHANGE_FAILED', `The ${field} of a profile must be text of at most ${max} characters`, {
      provider,
      field,
    })
  }
}

/** Text that says something; anything else a provider may send in its place is left out. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A web address fit for an `<img>`; a `javascript:` or `data:` URL in its place is left out. */
export function readWebUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  return ['https:', 'http:'].includes(new URL(value).protocol) ? value : undefined
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops the fields without a value, so that a profile has only what was said. */
export function onlyDefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
