const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether a request was meant for this machine, by its `Host` header. A page elsewhere that lets its own name lead to
 * 127.0.0.1 (DNS rebinding) reaches a server here like its own, under that name.
 */
export function isForThisMachine(host: string | undefined): boolean {
  const [, name = ''] = host?.toLowerCase().match(/^(\[[\da-f:]+\]|[^:]+)(?::\d{1,5})?$/) ?? []
  return localNames.has(name)
}
