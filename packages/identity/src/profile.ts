import { OAuthError } from './errors.ts'
import type { NormalizedProfile } from './provider.ts'

/** No address is longer (RFC 5321 §4.5.3.1), and every supported database can index a text of this length. */
const MAX_EMAIL_LENGTH = 512

/** The stored fields of a profile must be strings that fit into a column. Anything else is a mistake of the provider. */
export function checkProfileText(profile: NormalizedProfile): void {
  const limits = { subject: 255, email: MAX_EMAIL_LENGTH, displayName: 4096, avatarUrl: 4096 }
  for (const [field, max] of Object.entries(limits)) {
    const value: unknown = profile[field as keyof typeof limits]
    if (value === undefined || (typeof value === 'string' && value.length <= max)) continue
    const { provider } = profile
    throw new OAuthError('EXCHANGE_FAILED', `The ${field} of a profile must be a string of at most ${max} characters`, {
      provider,
      field,
    })
  }
}

/** Returns `undefined` for anything but a non-empty string. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Accepts http: and https: URLs only: a `javascript:` or `data:` URL must not end up in a page. */
export function readWebUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  return ['https:', 'http:'].includes(new URL(value).protocol) ? value : undefined
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Drops the fields that are `undefined`. */
export function onlyDefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
