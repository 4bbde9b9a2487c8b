/** Lifetimes, in seconds. */
export interface Lifetimes {
  /** Access tokens of loopback clients. Default 2592000 (30 days). */
  readonly loopbackTokenSec: number
  /** Access tokens of registered clients. Default 3600. */
  readonly clientTokenSec: number
  /** Browser sessions, counted from their last use. Default 1209600 (14 days). */
  readonly sessionSec: number
  /** Browser sessions, counted from the sign-in, no matter how often they are used. Default 7776000 (90 days). */
  readonly sessionMaxSec: number
  /** Authorization codes. Default 60. */
  readonly codeSec: number
  /** The time a person may take to answer a request, return from a provider, or prove an account. Default 600. */
  readonly interactionSec: number
  /** Id tokens. Default 300. */
  readonly idTokenSec: number
  /** The time a key signs before the next one takes over. Default 7776000 (90 days). */
  readonly signingKeySec: number
  /** Audit rows. Default 31536000 (365 days). */
  readonly auditSec: number
}

export const defaultLifetimes: Lifetimes = {
  loopbackTokenSec: 30 * 86_400,
  clientTokenSec: 3600,
  sessionSec: 14 * 86_400,
  sessionMaxSec: 90 * 86_400,
  codeSec: 60,
  interactionSec: 600,
  idTokenSec: 300,
  signingKeySec: 90 * 86_400,
  auditSec: 365 * 86_400,
}

/** The last use of a session or token is written at most this often. */
export const TOUCH_EVERY_MS = 60_000
