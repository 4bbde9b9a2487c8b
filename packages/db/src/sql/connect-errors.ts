/** Messages of failed connections, the same for every engine. */

export const NO_CONNECTION = 'timed out waiting for a connection: all are in use, or the server does not answer'

/** Advice for a user without the right to read sync's metadata tables. */
export function adviseGrant(message: string): string {
  const table = /\bportico__\w+/.exec(message)?.[0]
  return table === undefined ? '' : `. Sync and its plan need it: GRANT SELECT on ${table} to this user`
}

/** @param address Host and port. @param cause The error of the network connection. */
export function describeUnreachable(engine: string, address: string | undefined, cause?: unknown): string {
  const { code = 'ERR' } = (cause ?? {}) as { readonly code?: string }
  const message = address === undefined ? `cannot reach ${engine}` : `cannot reach ${engine} at ${address}`
  return code.startsWith('ERR') ? message : `${message} (${code})`
}
