/** Digits in all, and after the point, of a decimal that declares no precision. */
export const DEFAULT_PRECISION: { readonly precision: number; readonly scale: number } = { precision: 38, scale: 9 }

/** The regular expression of the decimals that fit a precision: no exponent, no leading zeros, no `+`. */
export function decimalPattern(
  declared: { readonly precision: number; readonly scale: number } = DEFAULT_PRECISION,
): string {
  const { precision, scale } = declared
  const whole = precision - scale
  const integer = whole > 1 ? `(?:0|[1-9][0-9]{0,${whole - 1}})` : whole === 1 ? '[0-9]' : '0'
  return `^-?${integer}${scale > 0 ? `(?:\\.[0-9]{1,${scale}})?` : ''}$`
}
