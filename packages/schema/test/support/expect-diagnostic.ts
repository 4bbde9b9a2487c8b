import { compile, type DiagnosticCode } from '@portico/schema'
import { expect } from 'vitest'

/**
 * Expects exactly one diagnostic with the code, at the place that the text marks: `interface A { «nope» }`. A second
 * mark is the related place.
 */
export function expectDiagnostic(marked: string, code: DiagnosticCode): void {
  const places: { start: number; end: number }[] = []
  let text = ''
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') places.push({ start: text.length, end: -1 })
    else if (part === '»') places.at(-1)!.end = text.length
    else text += part
  }
  const found = compile([{ path: 'schema.portico', text }]).diagnostics
  expect(found.map((it) => it.code)).toEqual([code])
  const spans = [found[0]!.span, ...found[0]!.related.map((it) => it.span)]
  expect(spans.toSorted((a, b) => a.start - b.start)).toEqual(places)
}
