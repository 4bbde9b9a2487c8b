// Writes the reference pages that the schema language knows itself: its annotations and its diagnostics.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnnotationSpec, type ArgumentSpec, annotationSpecs, messages } from '@portico/schema'
import { root } from '../run.mjs'

/** The pages by their paths, as they should be now. */
export function pages(): Record<string, string> {
  return { 'docs/reference/annotations.md': annotationsPage(), 'docs/reference/diagnostics.md': diagnosticsPage() }
}

export async function run(): Promise<string[]> {
  const written = Object.entries(pages())
  for (const [path, text] of written) writeFileSync(join(root, path), text)
  return written.map(([path]) => path)
}

const made = '<!-- Made by `npm run docs -- schema`. Edits here are lost. -->'

const groups: readonly [title: string, prefixes: readonly string[]][] = [
  ['Tables', ['db.table', 'db.schema']],
  ['Keys', ['meta.id']],
  ['Columns', ['db.column', 'db.ignore', 'db.json', 'db.writeOnly']],
  ['Defaults', ['db.default']],
  ['Indexes', ['db.index']],
  ['Relations', ['db.rel']],
  ['Words for people', ['meta.label', 'meta.description', 'meta.example', 'meta.deprecated']],
  ['Expectations', ['expect']],
]

function annotationsPage(): string {
  const sections = groups.map(([title, prefixes]) => {
    const specs = Object.entries(annotationSpecs).filter(([name]) =>
      prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}.`)),
    )
    return `## ${title}\n\n${specs.map(([name, spec]) => describe(name, spec)).join('\n\n')}`
  })
  return `${made}

# Annotations

An annotation stands before what it speaks of: \`@name\`, then its arguments, separated by commas, on the same line.
Arguments are texts in quotes, numbers, \`true\`, \`false\` and names. [The guide](../guide/schema.md) shows them at work.

${sections.join('\n\n')}
`
}

function describe(name: string, spec: AnnotationSpec): string {
  const facts = [
    `- **On:** ${target(name, spec)}`,
    `- **Arguments:** ${spec.args.length === 0 ? 'none' : spec.args.map(argument).join('; ')}`,
    ...(spec.repeatable ? ['- **Repeatable:** yes'] : []),
  ]
  return `### \`@${name}\`\n\n${spec.about}\n\n${facts.join('\n')}\n\n\`\`\`portico\n${spec.example}\n\`\`\``
}

const fits: Readonly<Record<NonNullable<AnnotationSpec['fits']>, string>> = {
  number: 'a number field',
  string: 'a string field',
  decimal: 'a decimal field',
  timestamp: 'a timestamp field',
  'number.int': 'a `number.int` field',
  'string or array': 'a string or array field',
  'object or array': 'a field that holds an object, an array or values of several kinds',
  scalar: 'a field with plain values',
  table: 'a field typed as a table or an array of one',
}

/** Which of the two each navigation takes. */
const navigations: Readonly<Record<string, string>> = {
  'db.rel.to': 'a field typed as a table',
  'db.rel.via': 'a field typed as an array of a table',
}

function target(name: string, { on, fits: fit, ownField }: AnnotationSpec): string {
  if (on === 'any') return 'an interface, a type or a field'
  if (on === 'interface') return 'an interface'
  if (on === 'table') return 'an interface with `@db.table`'
  const field = navigations[name] ?? (fit ? fits[fit] : 'a field')
  return ownField ? `${field}; not inside a nested object` : field
}

const kinds: Readonly<Record<ArgumentSpec['kind'], string>> = {
  text: 'text',
  number: 'number',
  integer: 'whole number from 0',
  value: 'text, number, `true` or `false`',
  name: 'name of a table',
}

function argument({ name, kind, optional, choices }: ArgumentSpec): string {
  const values = choices ? choices.map((it) => `\`'${it}'\``).join(', ') : kinds[kind]
  return `${name} (${optional ? 'optional, ' : ''}${values})`
}

function diagnosticsPage(): string {
  const list = (severity: string): string =>
    Object.entries(messages)
      .filter(([, it]) => it.severity === severity)
      .map(([code, { about }]) => `- \`${code}\`: ${about}`)
      .join('\n')
  return `${made}

# Diagnostics

What \`portico check\` and \`portico generate\` can report. Codes never change; messages may.

## Errors

An error keeps every module from being written.

${list('error')}

## Warnings

${list('warning')}
`
}
