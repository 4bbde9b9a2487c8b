/** How values travel to and from an engine: the parts that adapters put together. */
import type { Column } from '@portico/schema/model'
import { DbError, invalid } from '../errors.ts'
import { normalizeDecimal } from './decimal.ts'

export type Codec = (value: unknown) => unknown

/** Text that every engine can hold: no NUL, which C-minded engines cut at, and no half of a surrogate pair. */
export function encodeText(column: Column): Codec {
  return (value) => {
    const text = value as string
    if (text.includes('\0')) throw refused(column, 'a NUL character cannot be stored')
    if (!isWellFormed(text)) throw refused(column, 'half of a surrogate pair cannot be stored')
    return text
  }
}

// A backslash that is no second half of an escaped one, then a NUL or half of a pair.
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** JSON text, refused like any text for what engines cannot hold. */
export function encodeJson(column: Column): Codec {
  return (value) => {
    const text = JSON.stringify(value)
    if (text.includes('\\u') && unstorableEscape.test(text)) {
      throw refused(column, 'a NUL character or half of a surrogate pair cannot be stored')
    }
    return text
  }
}

export function decodeJson(column: Column): Codec {
  return (value) => {
    try {
      return JSON.parse(value as string) as unknown
    } catch {
      // No cause: that error repeats what was stored.
      throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds invalid JSON`, { fields: [column.path] })
    }
  }
}

/** Engines differ in whether they keep the sign of zero; none needs it. */
export const encodeReal: Codec = (value) => (value as number) + 0

/** A whole number as the driver gives it. Beyond ±(2^53 − 1) it may have been rounded on the way: never passed on. */
export function decodeInteger(column: Column): Codec {
  return (value) => {
    const number = typeof value === 'number' ? value : Number(value)
    if (Number.isSafeInteger(number)) return number
    const what = Number.isInteger(number) ? 'a whole number that JavaScript would round' : 'a number that is not whole'
    throw new DbError('NUMBER_UNSAFE', `\`${column.path}\` holds ${what}`, { fields: [column.path] })
  }
}

/** A whole number of a statement written by hand, as text or bigint. */
export function toSafeNumber(value: string | bigint, name: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new DbError('NUMBER_UNSAFE', `\`${name}\` is a whole number that JavaScript would round: read it as text`)
}

/** Decimal text in its one spelling, at the declared scale. */
export function encodeDecimal(column: Column): Codec {
  const scale = column.precision?.scale
  return (value) => {
    const text = normalizeDecimal(value as string, scale)
    if (text !== undefined) return text
    const isFiner = scale !== undefined && normalizeDecimal(value as string, undefined) !== undefined
    throw refused(
      column,
      isFiner ? `has more than ${scale} digits after the point` : 'is no decimal as text, or too long',
    )
  }
}

function refused(column: Column, message: string): DbError {
  return invalid('the value cannot be stored', column.path, message, 'storable')
}

const isWellFormed: (text: string) => boolean = (text) =>
  // In ES2024; every Node that we run on has it.
  (text as string & { isWellFormed(): boolean }).isWellFormed()

/** Digits in all, and after the point, of a decimal column without a declared precision. */
export const DEFAULT_DECIMAL: { readonly precision: number; readonly scale: number } = { precision: 38, scale: 9 }
