import { isLoopback } from '@portico/identity'

/**
 * Whether a request was meant for this machine, by its `Host` header. A page elsewhere that lets its own name lead to
 * 127.0.0.1 (DNS rebinding) reaches a server here like its own, under that name.
 */
export function isForThisMachine(host: string | undefined): boolean {
  const [, name = ''] = host?.toLowerCase().match(/^(\[[\da-f:]+\]|[^:]+)(?::\d{1,5})?$/) ?? []
  return isLoopback(name)
}
