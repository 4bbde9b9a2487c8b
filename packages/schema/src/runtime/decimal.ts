import { DEFAULT_PRECISION, type Precision } from '../model.ts'

/** The pattern of decimals with a given precision: no exponent, no leading zeros, no `+`. */
export function decimalPattern(declared: Precision = DEFAULT_PRECISION): string {
  const { precision, scale } = declared
  const whole = precision - scale
  const integer = whole > 1 ? `(?:0|[1-9][0-9]{0,${whole - 1}})` : whole === 1 ? '[0-9]' : '0'
  return `^-?${integer}${scale > 0 ? `(?:\\.[0-9]{1,${scale}})?` : ''}$`
}
