import { Condition, operators, type Term } from '@portico/db/query'
import type { Column } from '@portico/schema/model'
import { readInteger } from '../bind/convert.ts'
import type { QueryValue, QueryValues } from '../bind/query-string.ts'
import { type RequestIssue, validationFailed } from '../errors.ts'
import { readCursor } from './cursor.ts'
import { readColumnText } from './read-value.ts'
import type { TableView } from './table-view.ts'

/** A request for records: filter, order, page, fields and relations. */
export interface FindRequest {
  readonly where: Condition
  readonly orderBy: Readonly<Record<string, 'asc' | 'desc'>> | undefined
  readonly limit: number
  readonly offset: number | undefined
  readonly select: readonly string[] | undefined
  readonly with: readonly string[]
  readonly count: boolean
  /** The key after which the page begins. */
  readonly after: readonly unknown[] | undefined
}

/** The greatest `$limit` and `$offset`. */
export const MAX_COUNT = 999_999_999_999_999

interface QueryLimits {
  readonly defaultLimit: number
  readonly maxLimit: number
}

/** The table, the limits and the relations that a query is checked against. */
export interface QueryContext {
  readonly view: TableView
  readonly limits: QueryLimits
  /** The relations that `$with` may include. */
  readonly related: { readonly offered: readonly string[] }
}

/** The operators of the table layer, without their `$`. */
const operatorNames = [...operators.keys()].map((it) => it.slice(1))

const controls: ReadonlySet<string> = new Set(['$sort', '$limit', '$offset', '$select', '$with', '$count', '$after'])

/** Reads a query strictly: an unknown or repeated name, or a value of another type, is refused. */
export function readFindRequest(query: QueryValues, context: QueryContext): FindRequest {
  return new QueryReader(context).read(query, controls)
}

/** The request for one record without `$select` and `$with`. */
const wholeRecord: Pick<FindRequest, 'select' | 'with'> = Object.freeze({ select: undefined, with: [] })

const oneControls: ReadonlySet<string> = new Set(['$select', '$with'])

/** Reads `$select` and `$with` of a request for one record. The key is read elsewhere. */
export function readOneRequest(query: QueryValues, context: QueryContext): Pick<FindRequest, 'select' | 'with'> {
  const others = Object.keys(query).filter((name) => !context.view.key.some((it) => it.path === name))
  if (others.length === 0) return wholeRecord
  const keyless = Object.fromEntries(others.map((name) => [name, query[name]!]))
  return new QueryReader(context, true).read(keyless, oneControls)
}

class QueryReader {
  readonly #view: TableView
  readonly #limits: QueryLimits
  readonly #related: QueryContext['related']
  readonly #keyOnly: boolean
  readonly #issues: RequestIssue[] = []

  constructor({ view, limits, related }: QueryContext, keyOnly = false) {
    this.#view = view
    this.#limits = limits
    this.#related = related
    this.#keyOnly = keyOnly
  }

  read(query: QueryValues, known: ReadonlySet<string>): FindRequest {
    const terms = new Map<string, Term>()
    const given = new Map<string, string>()
    for (const [name, value] of Object.entries(query)) {
      if (!name.startsWith('$')) this.#readFilter(name, value, terms, known)
      else if (!known.has(name)) this.#refuse(name, `is not a known control; known are ${[...known].join(', ')}`)
      else if (typeof value !== 'string') this.#refuse(name, 'is given more than once')
      else given.set(name, value)
    }
    const request = this.#readControls(given)
    if (this.#issues.length > 0) throw validationFailed(this.#issues)
    return { ...request, where: new Condition(this.#view.declaration, [...terms.values()]) }
  }

  #readControls(given: ReadonlyMap<string, string>): Omit<FindRequest, 'where'> {
    const { defaultLimit, maxLimit } = this.#limits
    const after = this.#readAfter(given.get('$after'))
    if (given.has('$after') && given.has('$sort'))
      this.#refuse('$after', 'pages in the order of the key, so it cannot be combined with $sort')
    if (given.has('$after') && given.has('$offset')) this.#refuse('$after', 'cannot be combined with $offset')
    return {
      orderBy: this.#readSort(given.get('$sort')),
      limit: Math.min(this.#readCount('$limit', given.get('$limit')) ?? defaultLimit, maxLimit),
      offset: this.#readCount('$offset', given.get('$offset')),
      select: this.#readSelect(given.get('$select')),
      with: this.#readWith(given.get('$with')),
      count: this.#readFlag('$count', given.get('$count')),
      after,
    }
  }

  /** `field=…` or `field[operator]=…`. */
  #readFilter(name: string, value: QueryValue, terms: Map<string, Term>, known: ReadonlySet<string>): void {
    const [, path = name, operator = 'eq'] = name.match(/^([^[\]]+)\[([^[\]]*)\]$/) ?? []
    const column = this.#keyOnly ? undefined : this.#view.columns.get(path)
    const id = `${path} $${operator}`
    if (!column) {
      const hint = known.has(`$${name}`) ? `; did you mean \`$${name}\`?` : ''
      this.#refuse(name, (this.#keyOnly ? 'is not a key field' : 'is not a known field') + hint)
    } else if (!operators.has(`$${operator}`)) {
      this.#refuse(name, `has an unknown operator; known are ${operatorNames.join(', ')}`)
    } else if (terms.has(id)) {
      this.#refuse(name, 'is given more than once')
    } else {
      const operand = this.#readOperand(name, column, operator, value)
      terms.set(id, { column, operator: `$${operator}`, value: operand })
    }
  }

  #readOperand(name: string, column: Column, operator: string, value: QueryValue): unknown {
    if (column.type === 'json' && operator !== 'null') {
      return this.#refuse(name, 'is stored as JSON; the only operator it supports is [null]')
    }
    if (operator === 'in' || operator === 'nin') {
      const values = (typeof value === 'string' ? [value] : value).map((it) => this.#readText(name, column, it))
      return values.includes(undefined) ? undefined : values
    }
    if (typeof value !== 'string') return this.#refuse(name, 'is given more than once')
    if (operator === 'null') return this.#readFlag(name, value)
    if (operator === 'like' || operator === 'ilike') {
      if (column.type !== 'string')
        return this.#refuse(name, 'is not a text field, so it cannot be matched with a pattern')
      const { values: _, ...anyText } = column
      return this.#readText(name, anyText, value)
    }
    return this.#readText(name, column, value)
  }

  #readText(name: string, column: Column, text: string): unknown {
    const read = readColumnText(column, text)
    return 'value' in read ? read.value : this.#refuse(name, `expected ${read.expected}`)
  }

  #readSort(text: string | undefined): FindRequest['orderBy'] {
    if (text === undefined) return undefined
    if (text === '') return this.#refuse('$sort', 'names no field')
    const order: Record<string, 'asc' | 'desc'> = {}
    for (const part of text.split(',')) {
      const path = part.startsWith('-') ? part.slice(1) : part
      const column = this.#view.columns.get(path)
      if (!column) this.#refuse('$sort', `\`${path}\` is not a known field`)
      else if (column.type === 'json') this.#refuse('$sort', `\`${path}\` is stored as JSON, which has no order`)
      else if (Object.hasOwn(order, path)) this.#refuse('$sort', `\`${path}\` is named twice`)
      else order[path] = part === path ? 'asc' : 'desc'
    }
    return order
  }

  #readSelect(text: string | undefined): readonly string[] | undefined {
    if (text === undefined) return undefined
    if (text === '') return this.#refuse('$select', 'names no field')
    const names = text.split(',')
    for (const name of names.filter((it) => !this.#view.fields.has(it))) {
      this.#refuse('$select', `\`${name}\` is not a known field`)
    }
    // The key is always selected, so that every record can be identified.
    return [...new Set([...this.#view.key.map((it) => it.path), ...names])]
  }

  #readWith(text: string | undefined): readonly string[] {
    if (text === undefined) return []
    const names = [...new Set(text.split(','))]
    const { offered } = this.#related
    const hint = offered.length === 0 ? 'there are none' : `available: ${offered.join(', ')}`
    for (const name of names.filter((it) => !offered.includes(it))) {
      this.#refuse('$with', `\`${name}\` is not a relation that can be included here; ${hint}`)
    }
    return names
  }

  #readCount(name: string, text: string | undefined): number | undefined {
    if (text === undefined) return undefined
    const count = readInteger(text)
    if (count !== undefined && count >= 0 && count <= MAX_COUNT) return count
    return this.#refuse(name, 'expected a whole number, 0 or more')
  }

  #readFlag(name: string, text: string | undefined): boolean {
    if (text !== undefined && text !== 'true' && text !== 'false') this.#refuse(name, 'expected true or false')
    return text === 'true'
  }

  #readAfter(text: string | undefined): readonly unknown[] | undefined {
    if (text === undefined) return undefined
    return readCursor(this.#view.key, text) ?? this.#refuse('$after', 'is not a cursor of this table')
  }

  #refuse(name: string, message: string): undefined {
    this.#issues.push({ in: 'query', path: [name], code: 'query', message })
    return undefined
  }
}
