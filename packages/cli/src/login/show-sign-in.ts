import type { Terminal } from '../terminal.ts'
import type { TokenStatus } from './auth-api.ts'

/** A time in the local time zone: `2026-12-15 14:05`. */
export function formatTime(ms: number): string {
  const date = new Date(ms)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function describeSignIn(server: string, { name, userId, expiresAt, scopes = [] }: TokenStatus): string {
  const until = expiresAt === undefined ? '' : `, until ${formatTime(expiresAt)}`
  const granted = scopes.length === 0 ? '' : `, with scopes: ${scopes.join(' ')}`
  return `Signed in to ${server} as ${sanitizeName(name ?? userId ?? 'unknown')}${until}${granted}.`
}

/** Prints a sign-in to standard output, and the limits of its token to standard error. */
export function showSignIn(
  server: string,
  status: TokenStatus,
  terminal: Terminal,
  requested?: readonly string[],
): void {
  terminal.out(describeSignIn(server, status))
  const limits = describeLimits(status, requested)
  if (limits !== undefined) terminal.err(limits)
}

/** Explains what the token does not allow, if anything. */
function describeLimits({ scopes }: TokenStatus, requested: readonly string[] = []): string | undefined {
  if (scopes === undefined) return undefined
  const missing = findMissing(scopes, requested)
  const lines = [
    missing.length > 0 &&
      `Not granted: ${missing.join(' ')}. The server does not know the scope or you may not grant it: check the spelling.`,
    scopes.length === 0 && 'The token has no scopes and only identifies you: request scopes with --scope.',
  ]
  return lines.filter((it) => it !== false).join('\n') || undefined
}

/** The requested scopes that were not granted. */
export function findMissing(scopes: readonly string[] | undefined, requested: readonly string[]): string[] {
  return scopes === undefined ? [] : requested.filter((it) => !scopes.includes(it))
}

const MAX_NAME_LENGTH = 200
/** Control and format characters, line separators and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A name from a server, limited to one line and a maximum length, so that it cannot imitate other output. */
function sanitizeName(name: string): string {
  const shown = name.replace(unprintable, '')
  if (shown.length <= MAX_NAME_LENGTH) return shown
  // Remove half of a surrogate pair at the cut.
  return `${shown.slice(0, MAX_NAME_LENGTH - 1).replace(/\p{Cs}$/u, '')}…`
}
