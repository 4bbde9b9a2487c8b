import type { Span } from '../source.ts'
import type { Token } from './token.ts'

/** Longer ones are taken for stray signs, so that a line of nothing but `<` costs no more than any other. */
const longestGeneric = 200

/** The end of the `<…>` of a generic type that begins at an offset, all on one line; `undefined` when it is none. */
export function endOfGeneric(text: string, start: number): number | undefined {
  let open = 0
  for (let at = start; at < Math.min(text.length, start + longestGeneric); at++) {
    const sign = text[at]!
    if (sign === '<') open += 1
    else if (sign === '>') open -= 1
    else if (!/[\w$ .,|?:;'"[\]{}]/.test(sign)) return undefined
    if (open === 0) return at + 1
  }
  return undefined
}

/** What would mend a sign that TypeScript has and the language has not. */
export function hintForSign(
  sign: string,
  text: string,
  { start, end }: Span,
  last: Token | undefined,
): string | undefined {
  if (sign === '&') return 'types are not joined with `&`: declare an interface that extends both'
  if (sign !== '<' && sign !== '>') return undefined
  const name = last?.end === start ? text.slice(last.start, last.end) : ''
  const inside = text.slice(start + 1, end - 1).trim()
  if (name === 'Array' && /^[\w$.]+$/.test(inside)) return `write \`${inside}[]\``
  return 'there are no generic types: declare an interface with the fields, and write `T[]` for an array'
}
