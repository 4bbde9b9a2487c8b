// Generates the reference pages of the schema language: annotations and diagnostics.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnnotationSpec, type ArgumentSpec, annotationSpecs, messages } from '@portico/schema'
import { root } from '../run.mjs'

/** The current pages by path. */
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
  ['Documentation', ['meta.label', 'meta.description', 'meta.example', 'meta.deprecated']],
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

An annotation goes before the interface, type or field it applies to: \`@name\`, followed by its arguments on the same
line, separated by commas. Arguments are quoted strings, numbers, \`true\`, \`false\` and names.
[The guide](../guide/schema.md) shows them in use.

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
  'object or array': 'an object, array or mixed field',
  scalar: 'a field with plain values (no object, no array)',
  table: 'a field typed as a table or an array of one',
}

/** `db.rel.from` takes both. */
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
  text: 'string',
  number: 'number',
  integer: 'whole number, 0 or more',
  value: 'string, number, `true` or `false`',
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

The problems that \`portico check\` and \`portico generate\` report. Codes are stable; messages may change.

## Errors

If there is an error, no module is written.

${list('error')}

## Warnings

${list('warning')}
`
}
