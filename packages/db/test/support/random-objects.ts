/** Random shapes of a record with an optional object in it, records of them, and what may become of a record. */
import type { Random } from './random-model.ts'

type Fields = Record<string, unknown>

interface Leaf {
  readonly name: string
  readonly kind: 'required' | 'optional' | 'nullable'
  /** Its default, where it has one. */
  readonly preset?: string
}

export interface ObjectShape {
  readonly name: string
  readonly optional: boolean
  readonly leaves: readonly Leaf[]
  readonly inner?: ObjectShape
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!

/** An optional object has a leaf that is always there: the language asks for one. */
export function makeShape(random: Random, name = 'o', depth = 0): ObjectShape {
  const optional = random(10) < 8
  const names = ['a', 'b', 'c'].filter(() => random(10) < 7)
  const leaves = (names.length > 0 ? names : ['a']).map((it): Leaf => {
    const kind = pick(random, ['required', 'required', 'optional', 'nullable'] as const)
    return { name: it, kind, ...(kind === 'required' && random(10) < 4 && { preset: `p${it}` }) }
  })
  const isShown = leaves.some((it) => it.kind === 'required')
  const shown =
    isShown || !optional ? leaves : [{ name: leaves[0]!.name, kind: 'required' as const }, ...leaves.slice(1)]
  const inner = depth === 0 && random(10) < 4 ? { inner: makeShape(random, 'p', 1) } : {}
  return { name, optional, leaves: shown, ...inner }
}

export function writeShape({ name, optional, leaves, inner }: ObjectShape): string {
  const fields = leaves.map(({ name: leaf, kind, preset }) => {
    const type = kind === 'nullable' ? 'string | null' : 'string'
    return `${preset === undefined ? '' : `@db.default '${preset}'\n `}${leaf}${kind === 'optional' ? '?' : ''}: ${type}`
  })
  const all = inner ? [...fields, writeShape(inner)] : fields
  return `${name}${optional ? '?' : ''}: {\n ${all.join('\n ')} }`
}

export function requireObject(shape: ObjectShape, random: Random): Fields | undefined {
  if (shape.optional && random(10) < 4) return undefined
  const object: Fields = {}
  for (const { name, kind } of shape.leaves) {
    const isEmpty = kind !== 'required' && random(10) < 5
    if (!isEmpty) object[name] = pick(random, ['x', 'y', ''])
    else if (kind === 'nullable') object[name] = null
  }
  const inner = shape.inner && requireObject(shape.inner, random)
  return inner ? { ...object, [shape.inner!.name]: inner } : object
}

/** Why a value is not of a shape. */
export function findMisfit(shape: ObjectShape, value: unknown): string | undefined {
  if (value === undefined) return shape.optional ? undefined : `${shape.name} is missing`
  const object = value as Fields
  for (const { name, kind } of shape.leaves) {
    const found = object[name]
    if (found === undefined && kind !== 'optional') return `${shape.name}.${name} is missing`
    if (found === null && kind !== 'nullable') return `${shape.name}.${name} is null`
  }
  return shape.inner && findMisfit(shape.inner, object[shape.inner.name])
}

/** The differences that a sync made in an object: values invented, hidden or changed. */
export function findHarm(before: ObjectShape, after: ObjectShape, was: unknown, is: unknown): string | undefined {
  if (was === undefined && is !== undefined && after.optional) return `${after.name} was made`
  if (was !== undefined && is === undefined) return `${after.name} was hidden`
  if (was === undefined || is === undefined) return undefined
  const [former, now] = [was as Fields, is as Fields]
  for (const { name, preset } of after.leaves) {
    const value = former[name] ?? undefined
    const known = before.leaves.some((it) => it.name === name)
    const found = now[name] ?? undefined
    if (known && value !== undefined && found !== value) return `${after.name}.${name} has changed`
    if (value === undefined && found !== undefined && found !== preset) return `${after.name}.${name} was invented`
  }
  if (!before.inner || !after.inner) {
    return after.inner?.optional && now[after.inner.name] !== undefined ? `${after.inner.name} was made` : undefined
  }
  return findHarm(before.inner, after.inner, former[before.inner.name], now[after.inner.name])
}
