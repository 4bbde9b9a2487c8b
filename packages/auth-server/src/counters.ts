/** Spreads expiry over a minute, by the hash: rows that all expire in the same moment cannot be deleted in order of expiry. */
export function spreadOf(id: string): number {
  return Buffer.from(id, 'base64url').readUInt32BE(0) % 60_000
}

/** The part of an address that is counted. A subscriber has a whole IPv6 network of 64 bits, so it counts as one address. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])]
  return all.slice(0, 4).join(':')
}
