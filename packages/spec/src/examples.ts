import type { Example } from './document.ts'
import type { SpecExampleEntry } from './spec-mate.ts'

/** Examples by name, for parameters and bodies. */
export function describeExamples(entries: readonly SpecExampleEntry[] = []): { examples?: Record<string, Example> } {
  if (entries.length === 0) return {}
  const named = entries.map(({ name, summary, value }, index): [string, Example] => {
    const example = { ...(summary !== undefined && { summary }), value }
    return [name ?? (index === 0 ? 'example' : `example${index + 1}`), example]
  })
  return { examples: Object.fromEntries(named) }
}
