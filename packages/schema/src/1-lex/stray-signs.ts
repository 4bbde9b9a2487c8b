import type { Span } from '../source.ts'
import type { Token } from './token.ts'

/** Longer ones count as stray characters, so that a line full of `<` stays cheap. */
const maxGenericLength = 200

/** The end of the type arguments `<…>` at an offset, if they are on one line. */
export function endOfGeneric(text: string, start: number): number | undefined {
  let open = 0
  for (let at = start; at < Math.min(text.length, start + maxGenericLength); at++) {
    const sign = text[at]!
    if (sign === '<') open += 1
    else if (sign === '>') open -= 1
    else if (!/[\w$ .,|?:;'"[\]{}]/.test(sign)) return undefined
    if (open === 0) return at + 1
  }
  return undefined
}

/** The hint for a TypeScript character that the schema language does not use. */
export function hintForSign(
  sign: string,
  text: string,
  { start, end }: Span,
  last: Token | undefined,
): string | undefined {
  if (sign === '&') return 'intersection types are not supported: declare an interface that extends both'
  if (sign !== '<' && sign !== '>') return undefined
  const name = last?.end === start ? text.slice(last.start, last.end) : ''
  const inside = text.slice(start + 1, end - 1).trim()
  if (name === 'Array' && /^[\w$.]+$/.test(inside)) return `write \`${inside}[]\``
  return 'generic types are not supported: declare an interface with the fields, and write `T[]` for an array'
}
