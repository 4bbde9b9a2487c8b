import type { TokenStatus } from './ask-server.ts'

/** A moment as people read it: `2026-12-15 14:05`, in the time of this machine. */
export function tellTime(ms: number): string {
  const date = new Date(ms)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

export function tellSignIn(server: string, { name, userId, expiresAt }: TokenStatus): string {
  const until = expiresAt === undefined ? '' : `, until ${tellTime(expiresAt)}`
  return `Signed in at ${server} as ${quoteName(name ?? userId ?? 'somebody')}${until}.`
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
