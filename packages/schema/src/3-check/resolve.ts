import { MAX_DEPTH } from '../2-parse/cursor.ts'
import type { FieldSyntax, NameSyntax, ObjectSyntax, TypeSyntax, UnionSyntax } from '../2-parse/syntax.ts'
import type { Declaration, Field, FieldReference, NumberSubtype, StringSubtype, Type } from '../model.ts'
import { suggest } from '../shared/suggest.ts'
import { readMeta } from './annotation-values.ts'
import { resolveField, type TypeResolver } from './fields.ts'
import { type Edge, walk } from './graph.ts'
import { reportUnknown } from './inherit.ts'
import { readAnnotations } from './read-annotations.ts'
import { type Entry, type FileScope, isEntry, isTable, type Member, type NamedSymbol } from './scope.ts'
import { depthOf, describeType, expand, hasKind, hasMoreAlternatives } from './types.ts'

const stringSubtypes: readonly StringSubtype[] = ['email', 'uuid', 'url', 'date', 'datetime', 'required']
const numberSubtypes: readonly NumberSubtype[] = ['int', 'timestamp', 'timestamp.created', 'timestamp.updated']
/** The shared instances of built-in types, by base and then by subtype (empty for the base itself). */
const builtIns: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map<string, ReadonlyMap<string, Type>>([
  [
    'string',
    new Map<string, Type>([
      ['', { kind: 'string' }],
      ...stringSubtypes.map((subtype): [string, Type] => [subtype, { kind: 'string', subtype }]),
    ]),
  ],
  [
    'number',
    new Map<string, Type>([
      ['', { kind: 'number', integer: false }],
      ...numberSubtypes.map((subtype): [string, Type] => [subtype, { kind: 'number', integer: true, subtype }]),
    ]),
  ],
  ['boolean', new Map([['', { kind: 'boolean' }]])],
  ['decimal', new Map([['', { kind: 'decimal' }]])],
])

/** Unions of unions can grow exponentially, and every alternative is visited wherever the type is used. */
const MAX_ALTERNATIVES = 10_000

const noEdges: Edge<Node>[] = []
const noBases: readonly Declaration[] = []
const unknown: Type = { kind: 'unknown' }

type Node = Entry | Member

/** Resolves the types of all fields and declarations, dependencies first. */
export function resolveTypes(scopes: readonly FileScope[]): void {
  const resolver = new Resolver()
  const entries = scopes.flatMap((scope) => scope.entries)
  walk<Node>(entries, {
    edges: (node) => resolver.edges(node),
    onCycle: (path, edge) => resolver.reportCycle(path, edge),
    leave: (node) => resolver.resolve(node),
  })
  for (const entry of entries) if (entry.bases.length > 0) linkBases(entry)
  for (const scope of scopes) for (const type of scope.syntax.nameless) resolver.resolveType(type, scope)
}

/** Runs last: an interface does not wait for its bases to be resolved, because fields are shared, not copied. */
function linkBases({ bases, declaration }: Entry): void {
  const found = bases.flatMap(({ symbol }) => (isEntry(symbol) ? (symbol.declaration ?? []) : symbol))
  if (declaration) (declaration as { bases: readonly Declaration[] }).bases = found
}

class Resolver implements TypeResolver {
  edges(node: Node): Edge<Node>[] {
    if ('owner' in node) {
      const { origin } = node
      if (!origin || isNavigation(origin.syntax)) return noEdges
      return this.#edgesOfType(origin.syntax.type, origin.entry.scope)
    }
    if (node.syntax.kind === 'alias') return this.#edgesOfType(node.syntax.type, node.scope)
    const { span } = node.syntax.name
    const edges: Edge<Node>[] = []
    for (const to of node.members.values()) if (!isPlain(to)) edges.push({ to, span })
    return edges
  }

  #edgesOfType(type: TypeSyntax, scope: FileScope): Edge<Node>[] {
    if (type.kind === 'union') return type.members.flatMap((it) => this.#edgesOfType(it, scope))
    if (type.kind === 'array') return this.#edgesOfType(type.element, scope)
    if (type.kind === 'object') {
      return type.fields.filter((it) => !isNavigation(it)).flatMap((it) => this.#edgesOfType(it.type, scope))
    }
    if (type.kind !== 'reference') return noEdges
    const first = type.path[0]!
    const second = type.path[1]
    const symbol = scope.names.get(first.text)
    if (symbol === undefined || !isEntry(symbol)) return noEdges
    if (!second) return symbol.isTable ? [] : [{ to: symbol, span: type.span }]
    const member = symbol.members.get(second.text)
    return member ? [{ to: member, span: type.span }] : []
  }

  /** The reference that closes the cycle resolves to `unknown`, because its target is not resolved yet. */
  reportCycle(path: readonly Node[], { to, span }: Edge<Node>): void {
    const last = path.at(-1)!
    const scope = 'owner' in last ? last.origin!.entry.scope : last.scope
    const names = [...path, to].filter(
      (it, index) => 'owner' in it || index === path.length || it.syntax.kind === 'alias',
    )
    scope.report.add(
      'type_cycle',
      span,
      names.map((it) => ('owner' in it ? `${it.owner}.${it.name}` : it.name)),
    )
  }

  resolve(node: Node): void {
    if ('owner' in node) this.#resolveMember(node)
    else {
      for (const member of node.members.values()) if (isPlain(member)) this.#resolveMember(member)
      node.declaration = this.#declare(node)
    }
  }

  #resolveMember(member: Member): void {
    const { origin } = member
    if (!origin || member.field) return
    member.field = resolveField(this, origin.entry.scope, origin.syntax, origin.bag, origin.entry.name)
  }

  #declare(entry: Entry): Declaration {
    const { syntax, scope, name, bag } = entry
    const type: Type =
      syntax.kind === 'alias'
        ? this.resolveType(syntax.type, scope)
        : { kind: 'object', fields: fieldsOfMembers(entry) }
    const depth = depthOf(type)
    const tooDeep = depth > MAX_DEPTH
    if (tooDeep) scope.report.add('nesting_too_deep', syntax.name.span, MAX_DEPTH)
    const reference = syntax.kind === 'alias' ? this.referenceOf(syntax.type, scope) : undefined
    return {
      kind: entry.isTable ? 'table' : syntax.kind === 'alias' ? 'type' : 'interface',
      name,
      path: scope.syntax.source.path,
      exported: syntax.exported,
      type: tooDeep ? unknown : type,
      bases: noBases,
      inherited: entry.inherited,
      depth: tooDeep ? 0 : depth,
      meta: readMeta(bag, syntax.doc),
      ...(reference && { reference }),
    }
  }

  resolveType(type: TypeSyntax, scope: FileScope): Type {
    switch (type.kind) {
      case 'literal':
        return { kind: 'literal', value: type.value }
      case 'array':
        return { kind: 'array', element: this.resolveType(type.element, scope) }
      case 'union':
        return this.#resolveUnion(type, scope)
      case 'object':
        return { kind: 'object', fields: this.#resolveFields(type, scope) }
      case 'reference':
        return this.#resolveReference(type.path, type, scope)
      case 'broken':
        return unknown
    }
  }

  #resolveUnion(syntax: UnionSyntax, scope: FileScope): Type {
    const seen = new Set<string>()
    const members: Type[] = []
    for (const member of syntax.members) {
      const type = this.resolveType(member, scope)
      const same = type.kind === 'named' ? `named ${type.declaration.name}` : JSON.stringify(type)
      if (seen.has(same) && type.kind !== 'unknown' && type.kind !== 'object') {
        scope.report.add('duplicate_union_member', member.span, describeType(type))
      } else members.push(type)
      seen.add(same)
    }
    if (!hasMoreAlternatives(members, MAX_ALTERNATIVES)) return { kind: 'union', members }
    scope.report.add('union_too_wide', syntax.span, MAX_ALTERNATIVES)
    return unknown
  }

  #resolveFields({ fields }: ObjectSyntax, scope: FileScope): Field[] {
    const found = new Map<string, Field>()
    for (const syntax of fields) {
      const { text: name, span } = syntax.name
      const bag = readAnnotations(syntax.annotations, { kind: 'field', name, isTable: false }, scope.report)
      if (found.has(name)) scope.report.add('duplicate_field', span, name, undefined)
      else if (name === '__proto__') scope.report.add('reserved_name', span, name)
      else found.set(name, resolveField(this, scope, syntax, bag, undefined))
    }
    return [...found.values()]
  }

  #resolveReference(path: readonly NameSyntax[], { span }: TypeSyntax, scope: FileScope): Type {
    const first = path[0]!
    const builtIn = builtIns.get(first.text)
    if (builtIn) return resolveBuiltIn(builtIn, path, scope)
    const symbol = scope.names.get(first.text)
    if (symbol === undefined) reportUnknown(scope, first)
    if (symbol === undefined || symbol === 'broken') return unknown
    if (path.length > 1) return this.#resolveFieldReference(symbol, path, scope)
    if (isTable(symbol)) {
      scope.report.add('table_as_value', span, first.text)
      return unknown
    }
    const declaration = isEntry(symbol) ? symbol.declaration : symbol
    return declaration ? { kind: 'named', declaration } : unknown
  }

  #resolveFieldReference(symbol: Exclude<NamedSymbol, 'broken'>, path: readonly NameSyntax[], scope: FileScope): Type {
    const name = path[1]!
    const deeper = path[2]
    const field = findField(symbol, name.text)
    if (!field && !isIncomplete(symbol, name.text)) {
      const near = scope.report.isFull ? undefined : suggest(name.text, fieldNames(symbol))
      scope.report.add('unknown_field', name.span, symbol.name, name.text, near)
    }
    if (!field) return unknown
    const isObject = hasKind(field.type, 'object')
    if (deeper && !isObject) {
      scope.report.add('unknown_field', deeper.span, `${symbol.name}.${name.text}`, deeper.text, undefined)
      return unknown
    }
    if (isObject || hasKind(field.type, 'records')) {
      scope.report.add(
        'reference_not_scalar',
        name.span,
        path
          .slice(0, 2)
          .map((it) => it.text)
          .join('.'),
      )
      return unknown
    }
    return expand(field.type)
  }

  referenceOf(type: TypeSyntax, scope: FileScope): FieldReference | undefined {
    if (type.kind !== 'reference') return undefined
    const symbol = scope.names.get(type.path[0]!.text)
    if (!symbol || symbol === 'broken' || type.path.length > 2) return undefined
    const second = type.path[1]
    if (!second) return (isEntry(symbol) ? symbol.declaration : symbol)?.reference
    const path = isEntry(symbol) ? symbol.scope.syntax.source.path : symbol.path
    return findField(symbol, second.text) && { table: symbol.name, path, field: second.text }
  }
}

function resolveBuiltIn(types: ReadonlyMap<string, Type>, path: readonly NameSyntax[], scope: FileScope): Type {
  const subtype = subtypeOf(path)
  const type = types.get(subtype)
  if (type) return type
  const base = path[0]!.text
  const span = { start: path[1]!.span.start, end: path.at(-1)!.span.end }
  const all = [...types.keys()].filter((it) => it !== '')
  const near = suggest(subtype, all)
  scope.report.add(
    'unknown_subtype',
    span,
    base,
    subtype,
    near && `${base}.${near}`,
    all.map((it) => `${base}.${it}`),
  )
  return unknown
}

function subtypeOf(path: readonly NameSyntax[]): string {
  let subtype = path.length > 1 ? path[1]!.text : ''
  for (let index = 2; index < path.length; index++) subtype += `.${path[index]!.text}`
  return subtype
}

function fieldsOfMembers({ members }: Entry): Field[] {
  const fields: Field[] = []
  for (const { field } of members.values()) if (field) fields.push(field)
  return fields
}

/** Most fields have a built-in type and no dependencies, so they are skipped in the traversal. */
function isPlain({ origin }: Member): boolean {
  const type = origin?.syntax.type
  if (type?.kind === 'literal') return true
  return type?.kind === 'reference' && builtIns.has(type.path[0]!.text)
}

function isNavigation(syntax: FieldSyntax): boolean {
  return syntax.annotations.some(({ name }) => name === 'db.rel.to' || name === 'db.rel.from' || name === 'db.rel.via')
}

function findField(symbol: Exclude<NamedSymbol, 'broken'>, name: string): Field | undefined {
  if (isEntry(symbol)) return symbol.members.get(name)?.field
  return symbol.type.kind === 'object' ? symbol.type.fields.find((it) => it.name === name) : undefined
}

/** True if a missing field must not be reported: the interface could not be parsed completely, or it is part of a cycle. */
function isIncomplete(symbol: Exclude<NamedSymbol, 'broken'>, name: string): boolean {
  return isEntry(symbol) && (symbol.incomplete || symbol.members.has(name))
}

function fieldNames(symbol: Exclude<NamedSymbol, 'broken'>): Iterable<string> {
  if (isEntry(symbol)) return symbol.members.keys()
  return symbol.type.kind === 'object' ? symbol.type.fields.map((it) => it.name) : []
}
