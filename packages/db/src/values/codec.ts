/** Encoders and decoders that adapters combine. */
import type { Column } from '@portico/schema/model'
import { DbError, invalid } from '../errors.ts'
import { normalizeDecimal } from './decimal.ts'

export type Codec = (value: unknown) => unknown

/** Refuses text that some engine cannot store: NUL, where C strings end, and half of a surrogate pair. */
export function encodeText(column: Column): Codec {
  return (value) => {
    const text = value as string
    if (text.includes('\0')) throw refused(column, 'a NUL character cannot be stored')
    if (!isWellFormed(text)) throw refused(column, 'half of a surrogate pair cannot be stored')
    return text
  }
}

// An unescaped backslash, then the code of a NUL or half of a surrogate pair.
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** JSON text. Refuses the same characters as `encodeText`. */
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
      // No cause: its message quotes the stored text.
      throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds invalid JSON`, { fields: [column.path] })
    }
  }
}

/** Turns -0 into 0: only some engines keep the sign. */
export const encodeReal: Codec = (value) => (value as number) + 0

/** Refuses integers beyond ±(2^53 − 1), which the driver may have rounded. */
export function decodeInteger(column: Column): Codec {
  return (value) => {
    const number = typeof value === 'number' ? value : Number(value)
    if (Number.isSafeInteger(number)) return number
    const what = Number.isInteger(number) ? 'a whole number that JavaScript would round' : 'a number that is not whole'
    throw new DbError('NUMBER_UNSAFE', `\`${column.path}\` holds ${what}`, { fields: [column.path] })
  }
}

/** Converts an integer of a raw statement. */
export function toSafeNumber(value: string | bigint, name: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new DbError('NUMBER_UNSAFE', `\`${name}\` is a whole number that JavaScript would round: read it as text`)
}

/** Decimal text in canonical form, with the declared scale. */
export function encodeDecimal(column: Column): Codec {
  const scale = column.precision?.scale
  return (value) => {
    const text = normalizeDecimal(value as string, scale)
    if (text !== undefined) return text
    const isFiner = scale !== undefined && normalizeDecimal(value as string, undefined) !== undefined
    throw refused(
      column,
      isFiner ? `has more than ${scale} digits after the point` : 'is not a decimal as text, or too long',
    )
  }
}

function refused(column: Column, message: string): DbError {
  return invalid('the value cannot be stored', column.path, message, 'storable')
}

const isWellFormed: (text: string) => boolean = (text) =>
  // In ES2024; every Node that we run on has it.
  (text as string & { isWellFormed(): boolean }).isWellFormed()

/** The precision of a decimal column that declares none. */
export const DEFAULT_DECIMAL: { readonly precision: number; readonly scale: number } = { precision: 38, scale: 9 }
