import { html, type Markup } from '../shared/html.ts'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium' })

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A day such as `2030-05-01`, written as `1 May 2030`. */
export function showDay(date: string): Markup {
  return html`<time datetime="${date}">${day.format(new Date(date))}</time>`
}

/** A moment, exact enough to distinguish two sign-ins: `1 May 2030 at 14:05:09`. */
export function showMoment(time: number): Markup {
  return html`<time datetime="${new Date(time).toISOString()}">${moment.format(time)}</time>`
}

/** The age of a moment, such as `5 minutes ago`, with the exact time as a tooltip. */
export function showAge(time: number, now: number = Date.now()): Markup {
  const apart = time - now
  const [unit, ms] = units.find((it) => Math.abs(apart) >= it[1]) ?? []
  const age = unit === undefined || ms === undefined ? 'just now' : relative.format(Math.trunc(apart / ms), unit)
  return html`<time datetime="${new Date(time).toISOString()}" title="${moment.format(time)}">${age}</time>`
}
