import 'reflect-metadata'
import { RouteError } from './errors.ts'

/** A decorator for classes, methods and parameters. */
export type AnyDecorator = (target: object, property?: string | symbol, place?: number | PropertyDescriptor) => void

/** A class (without both), one of its methods, or one parameter of the method. */
export interface Place {
  readonly property?: string | symbol
  readonly index?: number
}

/** One key at one place. With `extends`, the value is added to the base class's; otherwise it replaces it. */
interface Entry {
  readonly value: unknown
  readonly extends: boolean
}

type Entries = Map<PropertyKey, Entry>

interface Member {
  readonly entries: Entries
  readonly parameters: Map<number, Entries>
}

interface ClassRecord {
  readonly entries: Entries
  readonly members: Map<string | symbol, Member>
}

type ElementOf<List> = NonNullable<List> extends readonly (infer Element)[] ? Element : never

/**
 * The metadata store of all decorators, typed by the keys of `Shape`. There is one store, so that each package can add
 * its own keys beside those of others.
 */
export interface Mate<Shape extends object> {
  /**
   * Returns a decorator that writes `value` under `key`. With `append`, the value is added to the array under the key, in
   * the order of the source.
   */
  decorate<Key extends keyof Shape>(key: Key, value: NonNullable<Shape[Key]>, append?: false): AnyDecorator
  decorate<Key extends keyof Shape>(key: Key, value: ElementOf<Shape[Key]>, append: true): AnyDecorator
  /** Returns one decorator that applies all of these, as if they were stacked in this order. */
  apply(...decorators: readonly (AnyDecorator | ClassDecorator | MethodDecorator | ParameterDecorator)[]): AnyDecorator
  /** The metadata of a class, a method or a parameter, merged from the base classes down. */
  read(type: object, place?: Place): Readonly<Partial<Shape>>
}

const store = new WeakMap<object, ClassRecord>()

const mate: Mate<Record<PropertyKey, unknown>> = Object.freeze({
  decorate(key: PropertyKey, value: unknown, append = false): AnyDecorator {
    return (target, property, place) => write(entriesAt(target, property, place), key, value, append)
  },
  apply(...decorators: readonly unknown[]): AnyDecorator {
    return (target, property, place) => {
      for (const decorator of (decorators as readonly AnyDecorator[]).toReversed()) decorator(target, property, place)
    }
  },
  read,
})

/** The metadata store, typed by the keys of `Shape`. */
export function getMate<Shape extends object>(): Mate<Shape> {
  // Only decorators of the package that declares a key write it.
  return mate as unknown as Mate<Shape>
}

/** The methods with metadata, those of base classes first. */
export function decoratedMembers(type: object): (string | symbol)[] {
  const names = chainOf(type).flatMap((it) => [...(store.get(it)?.members.keys() ?? [])])
  return [...new Set(names)]
}

/** The positions of a method's parameters with metadata. */
export function decoratedParameters(type: object, property: string | symbol): number[] {
  const indexes = chainOf(type).flatMap((it) => [...(store.get(it)?.members.get(property)?.parameters.keys() ?? [])])
  return [...new Set(indexes)].sort((a, b) => a - b)
}

/** The parameter types of a method, if the compiler emitted them. */
export function emittedTypes(type: { prototype: object }, property: string | symbol): readonly unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', type.prototype, property) as readonly unknown[] | undefined
}

function write(entries: Entries, key: PropertyKey, value: unknown, append: boolean): void {
  if (!append) {
    entries.set(key, { value, extends: false })
    return
  }
  const before = entries.get(key)
  // Decorators run from the last to the first, so a later value goes to the front.
  entries.set(key, { value: [value, ...arrayUnder(key, before?.value ?? [])], extends: before?.extends ?? true })
}

function read(type: object, { property, index }: Place = {}): Readonly<Record<PropertyKey, unknown>> {
  const merged: Record<PropertyKey, unknown> = {}
  for (const link of chainOf(type)) {
    const entries = find(store.get(link), property, index)
    for (const [key, entry] of entries ?? []) {
      merged[key] = entry.extends
        ? [...arrayUnder(key, merged[key] ?? []), ...(entry.value as readonly unknown[])]
        : entry.value
    }
  }
  return merged
}

function find(record?: ClassRecord, property?: string | symbol, index?: number): Entries | undefined {
  if (property === undefined) return record?.entries
  const member = record?.members.get(property)
  return index === undefined ? member?.entries : member?.parameters.get(index)
}

function arrayUnder(key: PropertyKey, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new RouteError(
    'METADATA_INVALID',
    `the metadata key \`${String(key)}\` is not an array, so nothing can be appended to it`,
  )
}

/** A class and its base classes, from the root down. */
function chainOf(type: object): object[] {
  const chain: object[] = []
  for (let it: object | null = type; it && it !== Function.prototype; it = Object.getPrototypeOf(it)) chain.unshift(it)
  return chain
}

function entriesAt(target: object, property?: string | symbol, place?: number | PropertyDescriptor): Entries {
  if (property === undefined) {
    if (typeof target === 'function' && place === undefined) return recordOf(target).entries
    throw new RouteError('DECORATOR_MISPLACED', 'this decorator cannot be used on constructor parameters')
  }
  if (typeof target === 'function') {
    const member = `${target.name}.${String(property)}`
    throw new RouteError('DECORATOR_MISPLACED', `${member} is static: handlers are instance methods`)
  }
  const member = ensure(recordOf(target.constructor).members, property, () => ({
    entries: new Map(),
    parameters: new Map(),
  }))
  return typeof place === 'number' ? ensure(member.parameters, place, () => new Map()) : member.entries
}

function recordOf(type: object): ClassRecord {
  return ensure(store, type, () => ({ entries: new Map(), members: new Map() }))
}

interface Lookup<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value under the key, created if it is missing. */
function ensure<Key, Value>(lookup: Lookup<Key, Value>, key: Key, create: () => Value): Value {
  const found = lookup.get(key)
  if (found !== undefined) return found
  const created = create()
  lookup.set(key, created)
  return created
}
