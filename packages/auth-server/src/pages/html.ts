/** Text that is markup already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[] | false | undefined

/** Makes markup: what is put in is escaped, and loses its bidi controls, unless it is markup itself. `false` and `undefined` leave nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** They turn the direction of the text that follows: a name could make a sentence of ours read differently. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function render(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((it) => it.text).join('')
  return String(value)
    .replace(bidiControls, '')
    .replace(/[&<>"']/g, (character) => entities[character]!)
}
