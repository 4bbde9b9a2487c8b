/** Text that is already HTML and is not escaped again. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Markup | readonly Markup[] | false | undefined

/**
 * A template tag for HTML. It escapes every value and removes bidi controls, except in `Markup`. `false` and `undefined`
 * render as nothing, so that `${condition && html`…`}` works.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** These characters reverse the text that follows: with one in a name, a sentence would read differently. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function render(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map((it) => it.text).join('')
  return String(value)
    .replace(bidiControls, '')
    .replace(/[&<>"']/g, (character) => entities[character]!)
}
