import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(4096)
let used = pool.length
let lastMs = 0
let counter = 0

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * A UUID of version 7 (RFC 9562 §5.7): ordered by time, and within one millisecond by a counter (§6.2, method 1), so
 * that keys made one after the other sort in that order.
 */
export function createUuid(nowMs: number): string {
  const bytes = takeRandom()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // The top bit stays free, so that the counter can grow.
    counter = ((bytes[0]! << 8) | bytes[1]!) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const count = (0x7000 | counter).toString(16)
  const variant = hex[0x80 | (bytes[2]! & 0x3f)]!
  let rest = ''
  for (let index = 4; index < 10; index++) rest += hex[bytes[index]!]!
  return `${time.slice(0, 8)}-${time.slice(8)}-${count}-${variant}${hex[bytes[3]!]}-${rest}`
}

function takeRandom(): Uint8Array {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 10
  return pool.subarray(used - 10, used)
}
