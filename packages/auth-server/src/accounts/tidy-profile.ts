import { type NormalizedProfile, OAuthError } from '@portico/identity'

const MAX_NAME = 200
const MAX_URL = 2048
const MAX_CLASS = 255

/**
 * Fields that must be text, with their maximum length: truncating a subject or address would identify somebody else.
 */
const limits = { subject: 255, email: 512, displayName: 65_536, avatarUrl: 65_536, acr: 65_536 }

/** Tolerated clock difference: the provider may be this far ahead. */
const CLOCK_TOLERANCE_MS = 5000

/** Control and format characters, including bidi controls: with them one name could pass for another. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * A profile that is safe to store and show. Providers may be third-party code: a wrong type is an error of the
 * provider, and values that are too long are truncated or dropped.
 */
export function tidyProfile(profile: NormalizedProfile, now: number): NormalizedProfile {
  for (const [field, max] of Object.entries(limits) as [keyof typeof limits, number][]) {
    const value: unknown = profile[field]
    if (value !== undefined && !(typeof value === 'string' && value.length <= max)) throw malformed(profile, field, max)
  }
  const { displayName, avatarUrl, authTime, acr, amr, ...rest } = profile
  const name = displayName?.replace(invisible, '').trim().slice(0, MAX_NAME)
  return {
    ...rest,
    ...(name && { displayName: name }),
    ...(avatarUrl !== undefined && avatarUrl.length <= MAX_URL && { avatarUrl }),
    // A future time would satisfy every `max_age`.
    ...(Number.isFinite(authTime) && authTime! >= 0 && authTime! <= now + CLOCK_TOLERANCE_MS && { authTime }),
    ...(acr !== undefined && acr.length <= MAX_CLASS && { acr }),
    ...(isMethods(amr) && { amr }),
  }
}

function isMethods(amr: unknown): amr is string[] {
  return Array.isArray(amr) && amr.length <= 20 && amr.every((it) => typeof it === 'string' && it.length <= MAX_CLASS)
}

function malformed({ provider }: NormalizedProfile, field: string, max: number): OAuthError {
  const message = `The ${field} of a profile must be a string of at most ${max} characters`
  return new OAuthError('EXCHANGE_FAILED', message, { provider, field })
}
