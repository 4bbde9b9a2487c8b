/** The source of time. Inject one to test expiry without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The time in seconds, the unit of every date in a token (NumericDate, RFC 7519 §2). */
export function nowSec(clock: Clock): number {
  return clock.now() / 1000
}

/** Also true if the clock was set back: that must not extend the life of a cached value. */
export function hasPassed(clock: Clock, ms: number, since: number): boolean {
  const elapsed = clock.now() - since
  return !(elapsed >= 0 && elapsed < ms)
}
