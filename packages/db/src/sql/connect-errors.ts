/** What is told when nothing came of connecting to a server, the same for every engine. */

export const NO_CONNECTION = 'there was no connection to be had in time: all are in use, or the server does not answer'

/** What helps somebody who may not read what sync keeps about its tables. */
export function adviseGrant(message: string): string {
  const table = /\bportico__\w+/.exec(message)?.[0]
  return table === undefined ? '' : `. Sync and its plan need it: GRANT SELECT on ${table} to this user`
}

/** `address` is host and port; `cause` is what the way to the server failed with. */
export function describeUnreachable(engine: string, address: string | undefined, cause?: unknown): string {
  const { code = 'ERR' } = (cause ?? {}) as { readonly code?: string }
  const told = address === undefined ? `cannot reach ${engine}` : `cannot reach ${engine} at ${address}`
  return code.startsWith('ERR') ? told : `${told} (${code})`
}
