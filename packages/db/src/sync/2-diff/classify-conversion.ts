import type { Precision, Storage } from '@portico/schema/model'
import type { ColumnSnapshot } from '../../contract/snapshot.ts'
import { DEFAULT_DECIMAL } from '../../values/codec.ts'

/**
 * The effect of a type change on values. `widening` keeps every value as it is, `convert` rewrites each without loss,
 * `narrow` may meet values that do not fit, and `impossible` has no conversion.
 */
export type Conversion = 'same' | 'widening' | 'convert' | 'narrow' | 'impossible'

/** Enough digits before the decimal point for every safe integer. */
const SAFE_DIGITS = 16

const numbers: ReadonlySet<Storage> = new Set(['integer', 'real', 'decimal'])

export function classifyConversion(from: ColumnSnapshot, to: ColumnSnapshot): Conversion {
  const [before, after] = [from.storage, to.storage]
  if (before === undefined || after === undefined) return from.type === to.type ? 'same' : 'impossible'
  if (before === 'decimal' && from.isUnbound)
    return after === 'text' ? 'convert' : after === 'json' ? 'impossible' : 'narrow'
  if (before === after) return before === 'decimal' ? comparePrecision(from, to) : compareSize(from, to)
  if (before === 'text' || before === 'json') return convertText(before, after)
  if (after === 'text') return 'convert'
  if (after === 'json') return 'impossible'
  if (before === 'boolean') return 'convert'
  if (after === 'boolean' || !numbers.has(after)) return 'narrow'
  if (before !== 'integer') return 'narrow'
  return after === 'real' || wholeDigits(precisionOf(to)) >= SAFE_DIGITS ? 'widening' : 'narrow'
}

/** Integer types of one storage can differ in size. */
function compareSize(from: ColumnSnapshot, to: ColumnSnapshot): Conversion {
  const [before, after] = [from, to].map(({ type }) => integerTypes.indexOf(type))
  return before! >= 0 && after! >= 0 && after! < before! ? 'narrow' : 'same'
}

const integerTypes = ['TINYINT', 'SMALLINT', 'MEDIUMINT', 'INT', 'INTEGER', 'BIGINT']

function convertText(before: 'text' | 'json', after: Storage): Conversion {
  if (before === 'json') return after === 'text' ? 'convert' : 'impossible'
  return 'narrow'
}

function comparePrecision(from: ColumnSnapshot, to: ColumnSnapshot): Conversion {
  const [before, after] = [precisionOf(from), precisionOf(to)]
  if (before.precision === after.precision && before.scale === after.scale) return 'same'
  return after.scale >= before.scale && wholeDigits(after) >= wholeDigits(before) ? 'widening' : 'narrow'
}

export function precisionOf({ precision }: ColumnSnapshot): Precision {
  return precision ?? DEFAULT_DECIMAL
}

function wholeDigits({ precision, scale }: Precision): number {
  return precision - scale
}
