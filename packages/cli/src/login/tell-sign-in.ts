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
  // A name is whatever somebody once typed: it must not steer the terminal.
  const who = (name ?? userId ?? 'somebody').replace(/\p{Cc}/gu, '')
  return `Signed in at ${server} as ${who}${until}.`
}
