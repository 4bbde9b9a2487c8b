import { html, type Markup } from '../shared/html.ts'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const exactTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium' })

/** A date and time, exact enough to distinguish two sign-ins: 1 May 2030 at 09:30:05. */
export function showTime(time: number): Markup {
  return html`<time datetime="${new Date(time).toISOString()}">${exactTime.format(time)}</time>`
}

/** A moment as people say it: `5 minutes ago`, with the exact one behind it. */
export function showMoment(moment: number, now: number = Date.now()): Markup {
  const apart = moment - now
  const [unit, ms] = units.find((it) => Math.abs(apart) >= it[1]) ?? []
  const said = unit === undefined || ms === undefined ? 'just now' : relative.format(Math.trunc(apart / ms), unit)
  return html`<time datetime="${new Date(moment).toISOString()}" title="${exact.format(moment)}">${said}</time>`
}
