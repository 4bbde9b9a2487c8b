import type { OpenApiDocument, SchemaObject } from '../document.ts'
import { isObject } from '../schema-walk.ts'
import type { Comparison } from './change.ts'

interface Position {
  readonly direction: 'request' | 'response'
  readonly place: string
}

/** The thing itself where a document only refers to it. */
export function follow<T>(document: OpenApiDocument, value: T): T {
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return value
  const parts = $ref
    .slice(2)
    .split('/')
    .map((it) => decodeURIComponent(it).replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = parts.reduce<unknown>((it, part) => (isObject(it) ? it[part] : undefined), document)
  return found === undefined ? value : follow(document, found as T)
}

/**
 * What changed between two schemas. A request breaks callers when it takes less than before, an answer when it may hold
 * more or lacks something.
 */
export function diffSchemas(
  comparison: Comparison,
  before: SchemaObject,
  after: SchemaObject,
  position: Position,
): void {
  new SchemaDiff(comparison, position).compare(before, after, position.place)
}

class SchemaDiff {
  readonly #comparison: Comparison
  readonly #isRequest: boolean
  readonly #seen = new Set<string>()

  constructor(comparison: Comparison, { direction }: Position) {
    this.#comparison = comparison
    this.#isRequest = direction === 'request'
  }

  compare(reference: SchemaObject, nextReference: SchemaObject, place: string): void {
    // Schemas that contain themselves are looked at once.
    const pair = `${String(reference['$ref'])} ${String(nextReference['$ref'])}`
    if (reference['$ref'] !== undefined && this.#seen.has(pair)) return
    this.#seen.add(pair)
    const before = follow(this.#comparison.before, reference)
    const after = follow(this.#comparison.after, nextReference)
    this.#compareTypes(before, after, place)
    this.#compareValues(before, after, place)
    this.#compareLimits(before, after, place)
    this.#compareProperties(before, after, place)
    this.#compareOptions(before, after, place)
    if (isObject(before['items']) && isObject(after['items'])) {
      this.compare(before['items'], after['items'], `an item of ${place}`)
    }
  }

  /** Fewer values fit than before. */
  #narrowed(message: string): void {
    this.#comparison.found.add(this.#isRequest, message)
  }

  /** More values fit than before. */
  #widened(message: string): void {
    this.#comparison.found.add(!this.#isRequest, message)
  }

  #compareTypes(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [typesOf(before), typesOf(after)]
    if (old && !current) this.#widened(`${place} may be of any type now`)
    if (!old && current) this.#narrowed(`${place} has to be ${current.join(' or ')} now`)
    if (!old || !current) return
    const fits = (types: string[], type: string): boolean =>
      types.includes(type) || (type === 'integer' && types.includes('number'))
    const gone = old.filter((it) => !fits(current, it))
    const added = current.filter((it) => !fits(old, it))
    if (gone.length > 0) this.#narrowed(`${place} is no longer ${gone.join(' or ')}`)
    if (added.length > 0) this.#widened(`${place} may be ${added.join(' or ')} now`)
  }

  #compareValues(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [valuesOf(before), valuesOf(after)]
    if (!old && current) this.#narrowed(`${place} is now one of ${current.join(', ')}`)
    if (old && !current) this.#widened(`${place} is no longer one of a few values`)
    if (!old || !current) return
    const gone = old.filter((it) => !current.includes(it))
    const added = current.filter((it) => !old.includes(it))
    if (gone.length > 0) this.#narrowed(`${place} is no longer ${gone.join(' or ')}`)
    if (added.length > 0) this.#widened(`${place} may be ${added.join(' or ')} now`)
  }

  #compareLimits(before: SchemaObject, after: SchemaObject, place: string): void {
    for (const [keyword, sign] of limits) {
      const [old, current] = [before[keyword], after[keyword]].map((it) => (typeof it === 'number' ? it : undefined))
      if (old === current) continue
      const isTighter = current !== undefined && (old === undefined || (current - old) * sign > 0)
      const message = `${keyword} of ${place} was ${old ?? 'not set'} and is ${current ?? 'not set'}`
      if (isTighter) this.#narrowed(message)
      else this.#widened(message)
    }
    for (const keyword of ['pattern', 'format']) {
      const [old, current] = [before[keyword], after[keyword]].map((it) => (typeof it === 'string' ? it : undefined))
      if (old === current) continue
      const message = `${keyword} of ${place} was ${old ?? 'not set'} and is ${current ?? 'not set'}`
      // Two patterns cannot be compared, so a change may both refuse and allow more.
      if (old === undefined) this.#narrowed(message)
      else if (current === undefined) this.#widened(message)
      else this.#comparison.found.add(true, message)
    }
  }

  #compareProperties(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [propertiesOf(before), propertiesOf(after)]
    const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)]
    for (const [name, property] of Object.entries(old)) {
      const told = `\`${name}\` of ${place}`
      const next = current[name]
      if (next === undefined) {
        this.#comparison.found.add(!this.#isRequest || after['additionalProperties'] === false, `${told} is gone`)
        continue
      }
      if (isRequired.has(name) && !wasRequired.has(name)) this.#narrowed(`${told} is required now`)
      if (wasRequired.has(name) && !isRequired.has(name)) this.#widened(`${told} may be absent now`)
      this.compare(property, next, told)
    }
    for (const name of Object.keys(current).filter((it) => !Object.hasOwn(old, it))) {
      const isNeeded = this.#isRequest && isRequired.has(name)
      this.#comparison.found.add(isNeeded, `\`${name}\` of ${place} is new${isNeeded ? ' and required' : ''}`)
    }
    const [wasClosed, isClosed] = [before, after].map((it) => it['additionalProperties'] === false)
    if (isClosed && !wasClosed && this.#isRequest) this.#narrowed(`${place} takes no other fields now`)
  }

  #compareOptions(before: SchemaObject, after: SchemaObject, place: string): void {
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const [old, current] = [before, after].map((it) => (it[keyword] ?? []) as readonly SchemaObject[]) as [
        readonly SchemaObject[],
        readonly SchemaObject[],
      ]
      if (old.length === current.length) {
        for (const [index, option] of old.entries()) this.compare(option, current[index]!, place)
        continue
      }
      const message = `${place} had ${old.length} parts in ${keyword} and has ${current.length}`
      // Every part of allOf is one more condition, every part of the others one more way to fit.
      if (old.length > current.length === (keyword !== 'allOf')) this.#narrowed(message)
      else this.#widened(message)
    }
  }
}

/** Keywords with the direction in which they tighten. */
const limits: readonly (readonly [keyword: string, sign: 1 | -1])[] = [
  ['minimum', 1],
  ['minLength', 1],
  ['minItems', 1],
  ['exclusiveMinimum', 1],
  ['maximum', -1],
  ['maxLength', -1],
  ['maxItems', -1],
  ['exclusiveMaximum', -1],
]

/** The types that fit, also where OpenAPI 3.0 writes null as a flag; `undefined` where nothing is said. */
function typesOf({ type, nullable }: SchemaObject): string[] | undefined {
  if (typeof type !== 'string' && !Array.isArray(type)) return undefined
  const types = Array.isArray(type) ? (type as string[]) : [type]
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types
}

function valuesOf(schema: SchemaObject): string[] | undefined {
  const values = schema['const'] !== undefined ? [schema['const']] : schema['enum']
  return Array.isArray(values) ? values.map((it) => JSON.stringify(it)) : undefined
}

function propertiesOf(schema: SchemaObject): Readonly<Record<string, SchemaObject>> {
  return isObject(schema['properties']) ? (schema['properties'] as Record<string, SchemaObject>) : {}
}

function requiredOf(schema: SchemaObject): ReadonlySet<string> {
  return new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : [])
}
