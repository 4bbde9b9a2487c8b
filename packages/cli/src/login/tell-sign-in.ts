import type { Terminal } from '../terminal.ts'
import type { TokenStatus } from './ask-server.ts'

/** A moment as people read it: `2026-12-15 14:05`, in the time of this machine. */
export function tellTime(ms: number): string {
  const date = new Date(ms)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function tellSignIn(server: string, { name, userId, expiresAt, scopes = [] }: TokenStatus): string {
  const until = expiresAt === undefined ? '' : `, until ${tellTime(expiresAt)}`
  const forWhat = scopes.length === 0 ? '' : `, for: ${scopes.join(' ')}`
  return `Signed in at ${server} as ${quoteName(name ?? userId ?? 'somebody')}${until}${forWhat}.`
}

/** Shows a sign-in on the output, and what its token does not open beside it. */
export function showSignIn(server: string, status: TokenStatus, terminal: Terminal, asked?: readonly string[]): void {
  terminal.out(tellSignIn(server, status))
  const limits = describeLimits(status, asked)
  if (limits !== undefined) terminal.err(limits)
}

/** What somebody has to know of a token that opens less than they may think; `undefined` where there is nothing to say. */
function describeLimits({ scopes }: TokenStatus, asked: readonly string[] = []): string | undefined {
  if (scopes === undefined) return undefined
  const missing = findMissing(scopes, asked)
  const lines = [
    missing.length > 0 &&
      `Not granted: ${missing.join(' ')}. The server does not have it, or you may not grant it: look at the spelling.`,
    scopes.length === 0 && 'The token says who you are and opens nothing else: name what you need with --scope.',
  ]
  return lines.filter((it) => it !== false).join('\n') || undefined
}

/** The scopes that were asked for and not granted. */
export function findMissing(scopes: readonly string[] | undefined, asked: readonly string[]): string[] {
  return scopes === undefined ? [] : asked.filter((it) => !scopes.includes(it))
}

const longestName = 200
/** Control and format characters, line separators and halves of characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A name that a server gave, on one line and of a fair length, so that it can pretend to be nothing else. */
function quoteName(name: string): string {
  const shown = name.replace(unprintable, '')
  if (shown.length <= longestName) return shown
  // The cut may fall into the middle of a character.
  return `${shown.slice(0, longestName - 1).replace(/\p{Cs}$/u, '')}…`
}
