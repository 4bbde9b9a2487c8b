import 'reflect-metadata'
import { RouteError } from './errors.ts'

/** A decorator that serves on classes, methods and parameters. */
export type AnyDecorator = (target: object, property?: string | symbol, place?: number | PropertyDescriptor) => void

/** A place that decorators write to: a class, one of its methods, or a parameter of that. */
export interface Place {
  readonly property?: string | symbol
  readonly index?: number
}

/** One key at one place. What `extends` is added to what the base class has; anything else replaces it. */
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

type ElementOf<T> = NonNullable<T> extends readonly (infer E)[] ? E : never

/**
 * The one store of what decorators say, seen through the keys of `Shape`. Every view reads and writes the same store,
 * so that packages add keys of their own beside those of others.
 */
export interface Mate<Shape extends object> {
  /**
   * A decorator that writes `value` under `key`. With `append` true the value is added to the array under the key
   * instead, in the order in which a reader of the source sees it.
   */
  decorate<K extends keyof Shape>(key: K, value: NonNullable<Shape[K]>, append?: false): AnyDecorator
  decorate<K extends keyof Shape>(key: K, value: ElementOf<Shape[K]>, append: true): AnyDecorator
  /** One decorator that does what these do when they are stacked in this order. */
  apply(...decorators: readonly (AnyDecorator | ClassDecorator | MethodDecorator | ParameterDecorator)[]): AnyDecorator
  /** What a class, a method or a parameter was given, base classes first. */
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

/** The store, seen through the keys of `Shape`. */
export function getMate<Shape extends object>(): Mate<Shape> {
  // Every key is written by a decorator of the package that declares it.
  return mate as unknown as Mate<Shape>
}

/** The methods of a class and its base classes that anything was written to, base classes first. */
export function decoratedMembers(type: object): (string | symbol)[] {
  const names = chainOf(type).flatMap((it) => [...(store.get(it)?.members.keys() ?? [])])
  return [...new Set(names)]
}

/** The parameters of a method that anything was written to. */
export function decoratedParameters(type: object, property: string | symbol): number[] {
  const indexes = chainOf(type).flatMap((it) => [...(store.get(it)?.members.get(property)?.parameters.keys() ?? [])])
  return [...new Set(indexes)].sort((a, b) => a - b)
}

/** The parameter types of a method, where the compiler emitted them. */
export function emittedTypes(type: { prototype: object }, property: string | symbol): readonly unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', type.prototype, property) as readonly unknown[] | undefined
}

function write(entries: Entries, key: PropertyKey, value: unknown, append: boolean): void {
  if (!append) {
    entries.set(key, { value, extends: false })
    return
  }
  const before = entries.get(key)
  // Decorators run from the last to the first, so what comes later stands in front.
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
  throw new RouteError('METADATA_INVALID', `the metadata key \`${String(key)}\` holds no array to append to`)
}

/** A class and its base classes, the most basic first. */
function chainOf(type: object): object[] {
  const chain: object[] = []
  for (let it: object | null = type; it && it !== Function.prototype; it = Object.getPrototypeOf(it)) chain.unshift(it)
  return chain
}

function entriesAt(target: object, property?: string | symbol, place?: number | PropertyDescriptor): Entries {
  if (property === undefined) {
    if (typeof target === 'function' && place === undefined) return recordOf(target).entries
    throw new RouteError('DECORATOR_MISPLACED', 'parameters of a constructor take no such decorator')
  }
  if (typeof target === 'function') {
    const told = `${target.name}.${String(property)}`
    throw new RouteError('DECORATOR_MISPLACED', `${told} is static: handlers are methods of an instance`)
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

interface Lookup<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** What stands under the key, made now if there is nothing. */
function ensure<K, V>(lookup: Lookup<K, V>, key: K, create: () => V): V {
  const found = lookup.get(key)
  if (found !== undefined) return found
  const created = create()
  lookup.set(key, created)
  return created
}
