/** Where the library reads the time: inject one to test expiry without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The clock's time in seconds, the unit of every date inside a token (NumericDate, RFC 7519 §2). */
export function nowSec(clock: Clock): number {
  return clock.now() / 1000
}

/** Whether this long has gone by since then. A clock that was set back must not keep what is old alive. */
export function hasPassed(clock: Clock, ms: number, since: number): boolean {
  const elapsed = clock.now() - since
  return !(elapsed >= 0 && elapsed < ms)
}
