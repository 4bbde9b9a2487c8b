import { quote } from '../1-lex/strings.ts'
import type { Literal, Type } from '../model.ts'
import { decimalPattern } from '../runtime/decimal.ts'

const formatTests = {
  email: 'portico.isEmail',
  uuid: 'portico.isUuid',
  url: 'portico.isUrl',
  date: 'portico.isDate',
  datetime: 'portico.isDateTime',
} as const

/** An expression that is true for values of a scalar type. `undefined` for types that need statements. */
export function scalarTest(type: Type, it: string): string | undefined {
  switch (type.kind) {
    case 'string':
      if (type.subtype === undefined) return `portico.isString(${it})`
      if (type.subtype === 'required') return `portico.matches(${it}, /[^]/)`
      return `${formatTests[type.subtype]}(${it})`
    case 'number':
      return type.integer ? `portico.isInteger(${it})` : `portico.isNumber(${it})`
    case 'boolean':
      return `portico.isBoolean(${it})`
    case 'decimal':
      return `portico.matches(${it}, /${decimalPattern(type.precision)}/)`
    case 'literal':
      return `(${it} === ${showLiteral(type.value)})`
    case 'union':
      return unionTest(type.members, it)
    case 'named':
      return scalarTest(type.declaration.type, it)
    default:
      return undefined
  }
}

/** Only for unions of literals. Other unions get statements with better messages. */
function unionTest(members: readonly Type[], it: string): string | undefined {
  if (!members.every((member) => member.kind === 'literal')) return undefined
  return `(${members.map((member) => `${it} === ${showLiteral(member.value)}`).join(' || ')})`
}

function showLiteral(value: Literal): string {
  return typeof value === 'string' ? quote(value) : String(value)
}

const words = {
  email: 'an e-mail address',
  uuid: 'a UUID',
  url: 'an http or https URL',
  date: 'a date, such as 2026-02-28',
  datetime: 'a date and time with offset, such as 2026-02-28T12:00:00Z',
  required: 'text that is not empty',
} as const

/** Describes a type for validation messages. */
export function describeExpected(type: Type): string {
  switch (type.kind) {
    case 'string':
      return type.subtype === undefined ? 'text' : words[type.subtype]
    case 'number':
      return type.integer ? 'a whole number' : 'a number'
    case 'boolean':
      return 'true or false'
    case 'decimal':
      return type.precision
        ? `a decimal as text, with up to ${type.precision.precision} digits and ${type.precision.scale} after the point`
        : 'a decimal as text, such as "1.50"'
    case 'literal':
      return showLiteral(type.value)
    case 'union':
      return type.members.every((it) => it.kind === 'literal')
        ? `one of ${type.members.map(describeExpected).join(', ')}`
        : alternatives(type.members.map(describeExpected))
    case 'named':
      return type.declaration.type.kind === 'object' ? type.declaration.name : describeExpected(type.declaration.type)
    default:
      return type.kind === 'array' ? 'an array' : 'an object'
  }
}

/** `text, a number, or null`: uses commas for more than two items, or if an item contains `or`. */
function alternatives(words: readonly string[]): string {
  const separator = words.length > 2 || words.some((it) => it.includes(' or ') || it.includes(',')) ? ', or ' : ' or '
  return `${words.slice(0, -1).join(', ')}${separator}${words.at(-1)}`
}
