const decimal = /^-?[0-9]+(?:\.[0-9]*)?$/

/** The longest decimal that an engine can store: a thousand digits after `-0.`. */
const MAX_LENGTH = 1003

/**
 * The canonical form: no leading zeros, no `-0`, and `scale` digits after the point, or no trailing zeros without a scale.
 * Returns `undefined` for text that is not a decimal or has more digits.
 */
export function normalizeDecimal(text: string, scale: number | undefined): string | undefined {
  const parts = takeApart(text)
  if (!parts || (scale !== undefined && parts.fraction.length > scale)) return undefined
  const { isNegative, whole, fraction } = parts
  const digits = scale === undefined ? fraction : fraction.padEnd(scale, '0')
  const sign = isNegative && (whole !== '0' || fraction !== '') ? '-' : ''
  return `${sign}${whole}${digits === '' ? '' : `.${digits}`}`
}

/** The parts of a decimal without insignificant zeros. Runs in linear time. */
function takeApart(text: string): { isNegative: boolean; whole: string; fraction: string } | undefined {
  if (text.length > MAX_LENGTH || !decimal.test(text)) return undefined
  const isNegative = text.startsWith('-')
  const [integer = '', decimals = ''] = (isNegative ? text.slice(1) : text).split('.')
  const whole = integer.slice(countLeadingZeros(integer)) || '0'
  return { isNegative, whole, fraction: decimals.slice(0, decimals.length - countTrailingZeros(decimals)) }
}

function countLeadingZeros(digits: string): number {
  let count = 0
  while (digits[count] === '0') count += 1
  return count
}

function countTrailingZeros(digits: string): number {
  let count = 0
  while (digits.at(-1 - count) === '0') count += 1
  return count
}

/**
 * Rounds down a decimal with more than `scale` significant digits after the point. Returns `undefined` for any other text.
 */
export function floorFiner(text: string, scale: number): string | undefined {
  const parts = takeApart(text)
  if (!parts || parts.fraction.length <= scale) return undefined
  const units = BigInt(parts.whole + parts.fraction.slice(0, scale))
  const floored = parts.isNegative ? -units - 1n : units
  const digits = String(floored < 0n ? -floored : floored).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${floored < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}

/** The number of significant digits, without leading and trailing zeros. */
export function countDigits(text: string): number {
  return text
    .replace(/^-?[0.]*/, '')
    .replace(/\.?0*$/, '')
    .replace('.', '').length
}

/** Rounds down a decimal with more significant digits than `digits`. Returns `undefined` for any other text. */
export function floorDigits(text: string, digits: number): string | undefined {
  const parts = takeApart(text)
  if (!parts) return undefined
  const all = `${parts.whole}${parts.fraction}`
  if (countDigits(all) <= digits) return undefined
  const spare = all.slice(countLeadingZeros(all)).length - digits
  const unit = 10n ** BigInt(spare)
  const kept = BigInt(all) / unit
  const floored = (parts.isNegative ? -kept - 1n : kept) * unit
  const scale = parts.fraction.length
  const written = String(floored < 0n ? -floored : floored).padStart(scale + 1, '0')
  const point = written.length - scale
  return `${floored < 0n ? '-' : ''}${written.slice(0, point)}${scale > 0 ? `.${written.slice(point)}` : ''}`
}

/** The number of digits before the point. */
export function countWholeDigits(text: string): number {
  return text.replace(/^-?0*/, '').split('.')[0]!.length
}

/** Writes a binary number as a decimal: with the scale, or with the fewest digits that identify it. */
export function formatNumber(value: number, scale: number | undefined): string {
  if (scale !== undefined && Math.abs(value) < 1e21) return normalizeDecimal(value.toFixed(scale), scale)!
  return expandExponent(String(value === 0 ? 0 : value))
}

function expandExponent(text: string): string {
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}
