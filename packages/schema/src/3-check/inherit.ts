import { MAX_DEPTH } from '../2-parse/cursor.ts'
import type { NameSyntax } from '../2-parse/syntax.ts'
import type { Declaration } from '../model.ts'
import { suggest } from '../shared/suggest.ts'
import { hintForType } from './familiar-names.ts'
import { walk } from './graph.ts'
import { readAnnotations } from './read-annotations.ts'
import { type Base, type Entry, type FileScope, isEntry, type Member, type NamedSymbol } from './scope.ts'

/** Collects the fields of every interface: inherited ones first, then its own. */
export function inheritFields(scopes: readonly FileScope[]): void {
  const entries = scopes.flatMap((scope) => scope.entries)
  for (const entry of entries) linkBases(entry)
  walk(entries, {
    edges: (entry) => entry.bases.flatMap(({ symbol, span }) => (isEntry(symbol) ? [{ to: symbol, span }] : [])),
    onCycle(path, { to, span }) {
      const last = path.at(-1)!
      last.scope.report.add(
        'type_cycle',
        span,
        [...path, to].map((it) => it.name),
      )
      last.incomplete = true
      last.bases.splice(
        last.bases.findIndex((it) => it.symbol === to),
        1,
      )
    },
    leave: collectMembers,
  })
}

function linkBases(entry: Entry): void {
  if (entry.syntax.kind !== 'interface') return
  for (const name of entry.syntax.bases) {
    const symbol = entry.scope.names.get(name.text)
    const isInterface = symbol !== undefined && isInterfaceSymbol(symbol)
    if (isInterface && symbol !== 'broken') entry.bases.push({ symbol, span: name.span })
    else entry.incomplete = true
    if (symbol === undefined) reportUnknown(entry.scope, name)
    else if (!isInterface && symbol !== 'broken') entry.scope.report.add('extends_not_interface', name.span, name.text)
  }
}

function isInterfaceSymbol(symbol: NamedSymbol): boolean {
  if (isEntry(symbol)) return symbol.syntax.kind === 'interface'
  return symbol !== 'broken' && symbol.kind !== 'type'
}

export function reportUnknown(scope: FileScope, { text, span }: NameSyntax): void {
  if (scope.syntax.lost.has(text)) return
  const builtIn = ['string', 'number', 'boolean', 'decimal', 'null']
  const near = scope.report.isFull ? undefined : suggest(text, [...builtIn, ...scope.names.keys()])
  scope.report.add('unknown_name', span, text, near, hintForType(text))
}

function collectMembers(entry: Entry): void {
  for (const base of entry.bases) inheritFrom(entry, base)
  entry.inherited = entry.members.size
  if (entry.syntax.kind !== 'interface') return
  for (const syntax of entry.syntax.body.fields) {
    const { text: name, span } = syntax.name
    const earlier = entry.members.get(name)
    if (earlier) {
      const inherited = earlier.origin?.entry !== entry
      entry.scope.report.add('duplicate_field', span, name, inherited ? earlier.owner : undefined)
    } else if (name === '__proto__') {
      entry.scope.report.add('reserved_name', span, name)
      entry.incomplete = true
    } else {
      const bag = readAnnotations(syntax.annotations, { kind: 'field', name, isTable: false }, entry.scope.report)
      entry.members.set(name, { name, owner: entry.name, origin: { entry, syntax, bag }, field: undefined })
    }
  }
}

function inheritFrom(entry: Entry, { symbol, span }: Base): void {
  if (isEntry(symbol)) {
    entry.incomplete ||= symbol.incomplete
    entry.height = Math.max(entry.height, symbol.height + 1)
    if (entry.height > MAX_DEPTH) {
      entry.scope.report.add('nesting_too_deep', span, MAX_DEPTH)
      entry.height = 0
      return
    }
  }
  const members = isEntry(symbol) ? symbol.members.values() : membersOf(symbol)
  for (const member of members) {
    const earlier = entry.members.get(member.name)
    if (!earlier) entry.members.set(member.name, member)
    else if (earlier !== member && (!member.field || earlier.field !== member.field)) {
      entry.scope.report.add('duplicate_field', span, member.name, earlier.owner)
    }
  }
}

function membersOf({ name, type }: Declaration): Member[] {
  if (type.kind !== 'object') return []
  return type.fields.map((field) => ({ name: field.name, owner: name, origin: undefined, field }))
}
