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
