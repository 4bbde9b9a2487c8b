import type { SchemaObject } from '../document.ts'
import { isObject } from '../shared/objects.ts'
import { alternativesOf, annotations, textOf } from './alternatives.ts'
import { Changes, type Comparison } from './change.ts'

interface Position {
  readonly direction: 'request' | 'response'
  readonly place: string
}

/**
 * Collects the changes between two schemas. A request breaks callers if it accepts less than before, a response if it may
 * contain more or lacks something.
 */
export function diffSchemas(comparison: Comparison, before: unknown, after: unknown, position: Position): void {
  new SchemaDiff(comparison, position.direction).compare(before, after, position.place)
}

class SchemaDiff {
  readonly #comparison: Comparison
  readonly #direction: Position['direction']
  readonly #seen: Set<string>

  constructor(comparison: Comparison, direction: Position['direction'], seen: Iterable<string> = []) {
    this.#comparison = comparison
    this.#direction = direction
    this.#seen = new Set(seen)
  }

  get #isRequest(): boolean {
    return this.#direction === 'request'
  }

  compare(before: unknown, after: unknown, place: string): void {
    // Schemas that contain themselves are compared once.
    if (mayContainItself(before) || mayContainItself(after)) {
      const pair = `${textOf(before)} ${textOf(after)}`
      if (this.#seen.has(pair)) return
      this.#seen.add(pair)
    }
    const old = alternativesOf(this.#comparison.before, before)
    const current = alternativesOf(this.#comparison.after, after)
    if (this.#compareTypes(old, current, place)) this.#compareAlternatives(old, current, place)
  }

  /** Fewer values are valid than before. */
  #narrowed(message: string): void {
    this.#comparison.found.add(this.#isRequest, message)
  }

  /** More values are valid than before. */
  #widened(message: string): void {
    this.#comparison.found.add(!this.#isRequest, message)
  }

  /** Reports removed and added types. Returns `false` if there is nothing more to compare. */
  #compareTypes(before: readonly SchemaObject[], after: readonly SchemaObject[], place: string): boolean {
    if (before.length === 0 || after.length === 0) {
      if (before.length > 0) this.#narrowed(`${place} is no longer allowed`)
      if (after.length > 0) this.#widened(`${place} is now allowed`)
      return false
    }
    const [old, current] = [typesOf(before), typesOf(after)]
    if (old && !current) this.#widened(`${place} may now be of any type`)
    if (!old && current) this.#narrowed(`${place} must now be ${current.join(' or ')}`)
    if (!old || !current) return true
    const fits = (types: string[], type: string): boolean =>
      types.includes(type) || (type === 'integer' && types.includes('number'))
    const gone = old.filter((it) => !fits(current, it))
    const added = current.filter((it) => !fits(old, it))
    if (gone.length > 0) this.#narrowed(`${place} can no longer be ${gone.join(' or ')}`)
    if (added.length > 0) this.#widened(`${place} may now be ${added.join(' or ')}`)
    return true
  }

  #compareAlternatives(before: readonly SchemaObject[], after: readonly SchemaObject[], place: string): void {
    const types = new Set(before.map((it) => it['type'] as string | undefined))
    for (const type of types) {
      const current = ofType(after, type)
      if (current.length > 0) this.#matchAlternatives(ofType(before, type), current, place)
    }
  }

  /** Pairs the alternatives: first equal ones, then those without a breaking difference, then one by one. */
  #matchAlternatives(before: readonly SchemaObject[], after: readonly SchemaObject[], place: string): void {
    const old = [...before]
    const current = [...after]
    const pairUp = (isPair: (one: SchemaObject, other: SchemaObject) => boolean): void => {
      for (const one of old.slice()) {
        const index = current.findIndex((it) => isPair(one, it))
        if (index === -1) continue
        old.splice(old.indexOf(one), 1)
        current.splice(index, 1)
      }
    }
    if (old.length > 1 || current.length > 1) pairUp((one, other) => this.#try(one, other, place).length === 0)
    if (old.length === current.length) {
      for (const [index, it] of old.entries()) this.#compareOne(it, current[index]!, place)
      return
    }
    const isCompatible = (one: SchemaObject, other: SchemaObject): boolean =>
      !this.#try(one, other, place).some((it) => it.breaking)
    pairUp(isCompatible)
    if (old.length > 0) this.#narrowed(`${place} can no longer be ${describeAlternatives(old)}`)
    if (current.length > 0) this.#widened(`${place} may now be ${describeAlternatives(current)}`)
  }

  /** The changes between two alternatives. */
  #try(before: SchemaObject, after: SchemaObject, place: string): Changes['found'] {
    const found = new Changes('')
    new SchemaDiff({ ...this.#comparison, found }, this.#direction, this.#seen).#compareOne(before, after, place)
    return found.found
  }

  #compareOne(before: SchemaObject, after: SchemaObject, place: string): void {
    this.#compareValues(before, after, place)
    this.#compareLimits(before, after, place)
    this.#compareProperties(before, after, place)
    this.#compareOtherFields(before, after, place)
    this.#compareItems(before, after, place)
    this.#compareRest(before, after, place)
  }

  #compareValues(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [valuesOf(before), valuesOf(after)]
    if (!old && current) this.#narrowed(`${place} must now be one of ${current.join(', ')}`)
    if (old && !current) this.#widened(`${place} is no longer limited to certain values`)
    if (!old || !current) return
    const gone = old.filter((it) => !current.includes(it))
    const added = current.filter((it) => !old.includes(it))
    if (gone.length > 0) this.#narrowed(`${place} can no longer be ${gone.join(' or ')}`)
    if (added.length > 0) this.#widened(`${place} may now be ${added.join(' or ')}`)
  }

  #compareLimits(before: SchemaObject, after: SchemaObject, place: string): void {
    for (const [keyword, sign] of limits) {
      const [old, current] = [before[keyword], after[keyword]].map((it) => (typeof it === 'number' ? it : undefined))
      if (old === current) continue
      const isTighter = current !== undefined && (old === undefined || (current - old) * sign > 0)
      const message = describeChange(keyword, place, old, current)
      if (isTighter) this.#narrowed(message)
      else this.#widened(message)
    }
    const [old, current] = [before['multipleOf'], after['multipleOf']] as (number | undefined)[]
    const ratios = old === undefined || current === undefined ? undefined : [current % old, old % current]
    const isTighter = ratios?.[0] === 0 ? true : ratios?.[1] === 0 ? false : undefined
    this.#compareText('multipleOf', old, current, place, isTighter)
  }

  /** Reports a changed keyword. Without `isTighter`, the change may both refuse and allow more. */
  #compareText(keyword: string, old: unknown, current: unknown, place: string, isTighter?: boolean): void {
    if (textOf(old) === textOf(current)) return
    const message = describeChange(keyword, place, old, current)
    if (old === undefined || isTighter === true) this.#narrowed(message)
    else if (current === undefined || isTighter === false) this.#widened(message)
    else this.#comparison.found.add(true, message)
  }

  #compareProperties(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [propertiesOf(before), propertiesOf(after)]
    const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)]
    for (const [name, property] of old) {
      const field = `\`${name}\` of ${place}`
      if (!current.has(name)) {
        this.#comparison.found.add(!this.#isRequest || after['additionalProperties'] === false, `${field} was removed`)
        continue
      }
      this.compare(property, current.get(name), field)
    }
    for (const name of current.keys()) {
      if (old.has(name)) continue
      const isNeeded = this.#isRequest && isRequired.has(name) && !wasRequired.has(name)
      this.#comparison.found.add(isNeeded, `\`${name}\` of ${place} is new${isNeeded ? ' and required' : ''}`)
    }
    const isKnown = (name: string): boolean => old.has(name) === current.has(name)
    for (const name of [...isRequired].filter((it) => !wasRequired.has(it) && isKnown(it))) {
      this.#narrowed(`\`${name}\` of ${place} is now required`)
    }
    for (const name of [...wasRequired].filter((it) => !isRequired.has(it) && isKnown(it))) {
      this.#widened(`\`${name}\` of ${place} may now be absent`)
    }
  }

  #compareOtherFields(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [before, after].map((it) => it['additionalProperties'] ?? true)
    if (current === false) {
      if (old !== false && this.#isRequest) this.#narrowed(`${place} no longer accepts other fields`)
      return
    }
    // Additional fields break no caller.
    if (old !== false && (isObject(old) || isObject(current))) this.compare(old, current, `any other field of ${place}`)
  }

  #compareItems(before: SchemaObject, after: SchemaObject, place: string): void {
    const [old, current] = [before, after].map((it) => (it['prefixItems'] ?? []) as readonly unknown[]) as [
      readonly unknown[],
      readonly unknown[],
    ]
    for (let index = 0; index < Math.max(old.length, current.length); index++) {
      const [one, other] = [old[index] ?? before['items'] ?? true, current[index] ?? after['items'] ?? true]
      this.compare(one, other, `item ${index + 1} of ${place}`)
    }
    const [items, nextItems] = [before['items'] ?? true, after['items'] ?? true]
    if (isObject(items) || isObject(nextItems) || items !== nextItems) {
      this.compare(items, nextItems, `an item of ${place}`)
    }
  }

  /** Reports keywords that can only be compared for equality. */
  #compareRest(before: SchemaObject, after: SchemaObject, place: string): void {
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (compared.has(keyword) || annotations.has(keyword) || keyword.startsWith('x-')) continue
      const [old, current] = [before, after].map((it) => (it[keyword] === false ? undefined : it[keyword]))
      this.#compareText(keyword, old, current, place)
    }
  }
}

function mayContainItself(schema: unknown): boolean {
  return isObject(schema) && ['$ref', 'allOf', 'anyOf', 'oneOf'].some((it) => schema[it] !== undefined)
}

/** Keywords with the direction that makes them stricter. */
const limits: readonly (readonly [keyword: string, sign: 1 | -1])[] = [
  ['minimum', 1],
  ['minLength', 1],
  ['minItems', 1],
  ['minProperties', 1],
  ['exclusiveMinimum', 1],
  ['maximum', -1],
  ['maxLength', -1],
  ['maxItems', -1],
  ['maxProperties', -1],
  ['exclusiveMaximum', -1],
]

const compared: ReadonlySet<string> = new Set([
  ...limits.map(([keyword]) => keyword),
  'type',
  'enum',
  'multipleOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
])

/** The types of the alternatives; `undefined` if any type is valid. */
function typesOf(alternatives: readonly SchemaObject[]): string[] | undefined {
  const types = alternatives.map((it) => it['type'] as string | undefined)
  return types.includes(undefined) ? undefined : [...new Set(types as string[])]
}

/** The alternatives for values of a type. */
function ofType(alternatives: readonly SchemaObject[], type: string | undefined): readonly SchemaObject[] {
  const own = alternatives.filter((it) => it['type'] === type)
  if (own.length > 0) return own
  const other = type === 'integer' ? 'number' : type === 'number' ? 'integer' : undefined
  return alternatives.filter((it) => it['type'] === other)
}

function describeAlternatives(alternatives: readonly SchemaObject[]): string {
  const names = alternatives.map(({ title, type, properties }) => {
    if (typeof title === 'string') return title
    const fields = isObject(properties) ? Object.keys(properties).slice(0, 3).join(', ') : ''
    const kind = typeof type === 'string' ? type : 'anything'
    return fields === '' ? kind : `${kind} with ${fields}`
  })
  return names.join(' or ')
}

function describeChange(keyword: string, place: string, old: unknown, current: unknown): string {
  const write = (value: unknown): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : textOf(value)
  return `${keyword} of ${place} was ${write(old)} and is now ${write(current)}`
}

function valuesOf({ enum: values }: SchemaObject): string[] | undefined {
  return Array.isArray(values) ? values.map((it) => JSON.stringify(it)) : undefined
}

function propertiesOf({ properties }: SchemaObject): ReadonlyMap<string, unknown> {
  return new Map(isObject(properties) ? Object.entries(properties) : [])
}

function requiredOf({ required }: SchemaObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? (required as string[]) : [])
}
