/** How the values of a column become those of another kind. */
import { countWholeDigits, formatNumber, normalizeDecimal } from '../../decimal.ts'
import { precisionOf } from '../../sync/convert.ts'
import type { ColumnSnapshot } from '../../sync/snapshot.ts'

/** Whether every value stays as it is. */
export function isSameForm(from: ColumnSnapshot, to: ColumnSnapshot): boolean {
  if (from.storage === 'decimal' && to.storage === 'decimal') return from.precision?.scale === to.precision?.scale
  return from.storage === to.storage || (from.storage === 'integer' && to.storage === 'real')
}

/** A stored value in its new form; `undefined` where it cannot be kept exactly. */
export function convertValue(value: unknown, from: ColumnSnapshot, to: ColumnSnapshot): unknown {
  switch (to.storage) {
    case 'text':
      return toText(value, from)
    case 'boolean':
      return toBoolean(value)
    case 'integer':
    case 'real':
      return toNumber(value, to)
    case 'decimal':
      return toDecimal(value, to)
    case 'json':
      return from.storage === 'json' ? value : parseJson(value as string)
    default:
      return undefined
  }
}

function toText(value: unknown, from: ColumnSnapshot): string {
  if (from.storage === 'json') return JSON.stringify(value)
  return typeof value === 'number' ? formatNumber(value, undefined) : String(value)
}

function toBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === 1) return true
  return value === false || value === 'false' || value === 0 ? false : undefined
}

function toNumber(value: unknown, to: ColumnSnapshot): number | undefined {
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'number' ? value : readNumber(String(value))
  return to.storage === 'integer' && !Number.isSafeInteger(number) ? undefined : number
}

/** A text is a number only when it is written as that number is. */
function readNumber(text: string): number | undefined {
  const plain = normalizeDecimal(text, undefined)
  const number = Number(text)
  return plain !== undefined && formatNumber(number, undefined) === plain ? number : undefined
}

function toDecimal(value: unknown, to: ColumnSnapshot): string | undefined {
  const number = typeof value === 'boolean' ? Number(value) : value
  const plain = normalizeDecimal(
    typeof number === 'number' ? formatNumber(number, undefined) : String(number),
    undefined,
  )
  if (plain === undefined) return undefined
  const { precision, scale } = precisionOf(to)
  const isTooFine = (plain.split('.')[1] ?? '').length > scale
  if (isTooFine || countWholeDigits(plain) > precision - scale) return undefined
  return normalizeDecimal(plain, to.precision?.scale)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
