import type { FuncKeywordDefinition } from 'ajv'

/**
 * `uniqueItems` in linear time. Ajv compares each object with every other one, so a body of 1 MiB could block the server
 * for minutes.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || hasNoDuplicates(items),
  error: { message: 'must NOT have duplicate items' },
}

function hasNoDuplicates(items: readonly unknown[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = textOf(item)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}

/** The same text for values that are equal in JSON, regardless of the order of keys. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(fields[name])}`).join()}}`
}
