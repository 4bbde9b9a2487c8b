import type { Field, Literal, NumberType, Precision, Type } from '../model.ts'

/** What a value of a type can be at run time, `null` left aside. */
export type Kind = 'string' | 'number' | 'boolean' | 'decimal' | 'array' | 'object' | 'records' | 'unknown'

/** The kind of all values but `null`: `mixed` when they differ, `undefined` when there are none. */
export function kindOf(type: Type): Kind | 'mixed' | undefined {
  if (type.kind === 'union') return kindOfAll(type.members)
  if (type.kind === 'named') return kindOf(type.declaration.type)
  if (type.kind !== 'literal') return type.kind
  return type.value === null ? undefined : (typeof type.value as Kind)
}

function kindOfAll(types: readonly Type[]): Kind | 'mixed' | undefined {
  let all: Kind | undefined
  for (const type of types) {
    const kind = kindOf(type)
    if (kind === 'mixed' || (all !== undefined && kind !== undefined && kind !== all)) return 'mixed'
    all ??= kind
  }
  return all
}

/** Whether some values of a type are of a kind. */
export function hasKind(type: Type, kind: Kind): boolean {
  if (type.kind === 'union') return type.members.some((it) => hasKind(it, kind))
  return type.kind === 'named' ? hasKind(type.declaration.type, kind) : kindOf(type) === kind
}

export function isScalar(type: Type): boolean {
  const kind = kindOf(type)
  if (kind === 'mixed') return !hasKind(type, 'array') && !hasKind(type, 'object') && !hasKind(type, 'records')
  return kind !== undefined && kind !== 'array' && kind !== 'object' && kind !== 'records'
}

export function allowsNull(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(allowsNull)
  if (type.kind === 'named') return allowsNull(type.declaration.type)
  return type.kind === 'literal' && type.value === null
}

/** The type behind names. */
export function unalias(type: Type): Type {
  return type.kind === 'named' ? unalias(type.declaration.type) : type
}

/** The one member of a type beside `null`, where there is one. */
export function withoutNull(type: Type): Type {
  const bare = unalias(type)
  if (bare.kind !== 'union') return bare
  const others = bare.members.filter((it) => unalias(it).kind !== 'literal' || !allowsNull(it))
  return others.length === 1 ? unalias(others[0]!) : bare
}

/** The number type of a field whose values are numbers, or `null`. */
export function numberTypeOf(type: Type): NumberType | undefined {
  const bare = withoutNull(type)
  return bare.kind === 'number' ? bare : undefined
}

/** The fields of an object type, or of the named object it stands for. */
export function fieldsOf(type: Type): readonly Field[] | undefined {
  const bare = withoutNull(type)
  return bare.kind === 'object' ? bare.fields : undefined
}

/** The only values of a type that lists them. */
export function literalsOf(type: Type): Literal[] | undefined {
  const bare = unalias(type)
  if (bare.kind === 'literal') return [bare.value]
  if (bare.kind !== 'union') return undefined
  const found: Literal[] = []
  for (const member of bare.members) {
    const literals = literalsOf(member)
    if (!literals) return undefined
    found.push(...literals)
  }
  return [...new Set(found)]
}

/** The type with its numbers made whole, as a key has them; names are followed, since the named type keeps its meaning. */
export function asKey(type: Type): Type {
  return mapScalars(type, (it) => (it.kind === 'number' ? { ...it, integer: true, key: true } : it))
}

/** The type with its numbers made whole. */
export function asInteger(type: Type): Type {
  return mapScalars(type, (it) => (it.kind === 'number' ? { ...it, integer: true } : it))
}

export function withPrecision(type: Type, precision: Precision): Type {
  return mapScalars(type, (it) => (it.kind === 'decimal' ? { kind: 'decimal', precision } : it))
}

/** A type whose names are replaced by what they stand for, down to its scalars. */
export function expand(type: Type): Type {
  return mapScalars(type, (it) => it)
}

function mapScalars(type: Type, change: (type: Type) => Type): Type {
  const bare = unalias(type)
  if (bare.kind === 'union') return { kind: 'union', members: bare.members.map((it) => mapScalars(it, change)) }
  if (bare.kind === 'array') return { kind: 'array', element: mapScalars(bare.element, change) }
  return change(bare)
}

/** Whether types have more alternatives than a number, counted through the types they name. */
export function hasMoreAlternatives(types: readonly Type[], most: number): boolean {
  let left = most
  const count = (type: Type): void => {
    const bare = unalias(type)
    if (bare.kind === 'array') count(bare.element)
    else if (bare.kind !== 'union') left -= 1
    else for (const member of bare.members) if (left >= 0) count(member)
  }
  for (const type of types) if (left >= 0) count(type)
  return left < 0
}

/** How deep a type nests, counted through the types it names. */
export function depthOf(type: Type): number {
  // A name for an object adds nothing to it; a name for anything else is a step of its own.
  if (type.kind === 'named') return type.declaration.depth + (type.declaration.type.kind === 'object' ? 0 : 1)
  if (type.kind === 'array') return 1 + depthOf(type.element)
  if (type.kind === 'union') return Math.max(...type.members.map(depthOf))
  return type.kind === 'object' ? 1 + type.fields.reduce((most, it) => Math.max(most, depthOf(it.type)), 0) : 0
}

/** A type in words, for messages. */
export function describeType(type: Type): string {
  const literals = literalsOf(type)
  if (literals) return literals.length === 1 ? show(literals[0]!) : `one of ${literals.map(show).join(', ')}`
  const bare = unalias(type)
  if (bare.kind === 'union') return bare.members.map(describeType).join(' or ')
  if (bare.kind === 'object') return 'a nested object'
  if (bare.kind === 'array') return 'an array'
  if (bare.kind === 'records') return `a navigation to \`${bare.table}\``
  if (bare.kind === 'number' && bare.integer && !bare.subtype) return 'a whole number'
  const subtype = 'subtype' in bare && bare.subtype ? `.${bare.subtype}` : ''
  return `\`${bare.kind}${subtype}\``
}

function show(value: Literal): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
