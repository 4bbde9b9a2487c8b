import { html, type Markup } from '../shared/html.ts'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A date as people write it: 1 May 2030, in UTC. */
export function showDate(time: number): Markup {
  return html`<time datetime="${new Date(time).toISOString().slice(0, 10)}">${day.format(time)}</time>`
}
