import type { Field, Literal, NumberType, Precision, Type } from '../model.ts'

/** The kind of a type's values at run time, ignoring `null`. */
export type Kind = 'string' | 'number' | 'boolean' | 'decimal' | 'array' | 'object' | 'records' | 'unknown'

/** The kind of a type's values, ignoring `null`. `mixed` if they differ, `undefined` if there are no others. */
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

/** True if some values of the type have this kind. */
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

/** Follows named types to their definition. */
export function unalias(type: Type): Type {
  return type.kind === 'named' ? unalias(type.declaration.type) : type
}

/** The single member besides `null`, if there is exactly one; otherwise the type itself. */
export function withoutNull(type: Type): Type {
  const bare = unalias(type)
  if (bare.kind !== 'union') return bare
  const others = bare.members.filter((it) => unalias(it).kind !== 'literal' || !allowsNull(it))
  return others.length === 1 ? unalias(others[0]!) : bare
}

/** The number type of a field that holds numbers or `null`. */
export function numberTypeOf(type: Type): NumberType | undefined {
  const bare = withoutNull(type)
  return bare.kind === 'number' ? bare : undefined
}

/** The fields of an object type, also through names. */
export function fieldsOf(type: Type): readonly Field[] | undefined {
  const bare = withoutNull(type)
  return bare.kind === 'object' ? bare.fields : undefined
}

/** The values of a type that consists of literals. */
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

/** The type with its numbers turned into integer keys. Named types are inlined, since they must not change themselves. */
export function asKey(type: Type): Type {
  return mapScalars(type, (it) => (it.kind === 'number' ? { ...it, integer: true, key: true } : it))
}

/** The type with its numbers turned into integers. */
export function asInteger(type: Type): Type {
  return mapScalars(type, (it) => (it.kind === 'number' ? { ...it, integer: true } : it))
}

export function withPrecision(type: Type, precision: Precision): Type {
  return mapScalars(type, (it) => (it.kind === 'decimal' ? { kind: 'decimal', precision } : it))
}

/** The type with all names replaced by their definitions. */
export function expand(type: Type): Type {
  return mapScalars(type, (it) => it)
}

function mapScalars(type: Type, change: (type: Type) => Type): Type {
  const bare = unalias(type)
  if (bare.kind === 'union') return { kind: 'union', members: bare.members.map((it) => mapScalars(it, change)) }
  if (bare.kind === 'array') return { kind: 'array', element: mapScalars(bare.element, change) }
  return change(bare)
}

/** True if the types have more than `max` alternatives, including those of the types they name. */
export function hasMoreAlternatives(types: readonly Type[], max: number): boolean {
  let left = max
  const count = (type: Type): void => {
    const bare = unalias(type)
    if (bare.kind === 'array') count(bare.element)
    else if (bare.kind !== 'union') left -= 1
    else for (const member of bare.members) if (left >= 0) count(member)
  }
  for (const type of types) if (left >= 0) count(type)
  return left < 0
}

/** The nesting depth of a type, including the types it names. */
export function depthOf(type: Type): number {
  // A name for an object adds no level. A name for anything else does.
  if (type.kind === 'named') return type.declaration.depth + (type.declaration.type.kind === 'object' ? 0 : 1)
  if (type.kind === 'array') return 1 + depthOf(type.element)
  if (type.kind === 'union') return Math.max(...type.members.map(depthOf))
  return type.kind === 'object' ? 1 + type.fields.reduce((max, it) => Math.max(max, depthOf(it.type)), 0) : 0
}

/** Describes a type for messages. */
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
