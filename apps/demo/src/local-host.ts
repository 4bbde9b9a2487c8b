import { isLoopback } from '@portico/identity'

/**
 * True if the `Host` header names this machine. In a DNS rebinding attack a foreign name leads to 127.0.0.1, and a page of
 * that site could use this server as its own.
 */
export function isForThisMachine(host: string | undefined): boolean {
  const [, name = ''] = host?.toLowerCase().match(/^(\[[\da-f:]+\]|[^:]+)(?::\d{1,5})?$/) ?? []
  return isLoopback(name)
}
