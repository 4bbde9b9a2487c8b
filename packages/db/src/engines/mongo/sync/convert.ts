/** Converts the values of a column to another type. */
import type { Storage } from '@portico/schema/model'
import type { ColumnSnapshot } from '../../../contract/snapshot.ts'
import { classifyConversion, precisionOf } from '../../../sync/2-diff/classify-conversion.ts'
import { countWholeDigits, formatNumber, normalizeDecimal } from '../../../values/decimal.ts'
import { findUnstorable, isWide } from '../documents/types.ts'

/** True if every value stays as it is. */
export function isSameForm(from: ColumnSnapshot, to: ColumnSnapshot): boolean {
  if (from.storage === 'decimal' && to.storage === 'decimal') {
    return from.precision?.scale === to.precision?.scale && classifyConversion(from, to) !== 'narrow'
  }
  return from.storage === to.storage || (from.storage === 'integer' && to.storage === 'real')
}

/** Converts a stored value; undefined if it cannot be kept exactly, or does not have the type of its column. */
export function convertValue(value: unknown, from: ColumnSnapshot, to: ColumnSnapshot): unknown {
  // The driver returns numbers that JavaScript has no type for as objects.
  if (isWide(value)) return convertValue(String(value), { ...from, storage: 'decimal' }, to)
  if (!isOf(value, from.storage)) return undefined
  switch (to.storage) {
    case 'text':
      return toText(value, from)
    case 'boolean':
      return toBoolean(value, from)
    case 'integer':
    case 'real':
      return toNumber(value, from, to)
    case 'decimal':
      return toDecimal(value, from, to)
    case 'json':
      return from.storage === 'json' ? value : parseJson(value as string, to)
    default:
      return undefined
  }
}

/** Other programs may have stored values of any type. */
function isOf(value: unknown, storage: Storage | undefined): boolean {
  switch (storage) {
    case 'text':
      return typeof value === 'string'
    case 'decimal':
      return typeof value === 'string' && normalizeDecimal(value, undefined) !== undefined
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'real':
      return Number.isFinite(value)
    default:
      return true
  }
}

function toText(value: unknown, from: ColumnSnapshot): string {
  if (from.storage === 'json') return JSON.stringify(value)
  return typeof value === 'number' ? formatNumber(value, undefined) : String(value)
}

function toBoolean(value: unknown, from: ColumnSnapshot): boolean | undefined {
  const text = from.storage === 'text' ? value : toText(value, from)
  const [yes, no] = from.storage === 'text' ? ['true', 'false'] : ['1', '0']
  const plain = from.storage === 'decimal' ? normalizeDecimal(String(text), undefined) : text
  return plain === yes ? true : plain === no ? false : undefined
}

function toNumber(value: unknown, from: ColumnSnapshot, to: ColumnSnapshot): number | undefined {
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'number' ? value : readNumber(value as string, from, to)
  return to.storage === 'integer' && !Number.isSafeInteger(number) ? undefined : number
}

/** A text fits a number only if it is exactly how that number is written. */
function readNumber(text: string, from: ColumnSnapshot, to: ColumnSnapshot): number | undefined {
  const number = Number(text)
  const written = formatNumber(number, undefined)
  if (from.storage === 'decimal') return normalizeDecimal(text, undefined) === written ? number : undefined
  const isWritten = text === written || (to.storage === 'real' && [String(number), `${written}.0`].includes(text))
  return isWritten && Number.isFinite(number) ? number : undefined
}

function toDecimal(value: unknown, from: ColumnSnapshot, to: ColumnSnapshot): string | undefined {
  const text = typeof value === 'boolean' ? String(Number(value)) : toText(value, from)
  const plain = normalizeDecimal(text, undefined)
  if (plain === undefined) return undefined
  const { precision, scale } = precisionOf(to)
  const isTooFine = (plain.split('.')[1] ?? '').length > scale
  if (isTooFine || countWholeDigits(plain) > precision - scale) return undefined
  // A decimal may be written as it would be read, or without trailing zeros.
  if (from.storage === 'text' && text !== plain && text !== normalizeDecimal(plain, scale)) return undefined
  return normalizeDecimal(plain, to.precision?.scale)
}

/** Returns the value only if the column can hold it. */
function parseJson(text: string, { type }: ColumnSnapshot): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const shape = Array.isArray(value) ? 'array' : typeof value
    const isFitting = type === 'mixed' || type === shape
    return value === null || !isFitting || findUnstorable(value) !== undefined ? undefined : value
  } catch {
    return undefined
  }
}
