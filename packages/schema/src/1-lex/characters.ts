export const TAB = 9
export const NEWLINE = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const ASTERISK = 42
export const PLUS = 43
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const AT = 64
export const BACKSLASH = 92
export const BYTE_ORDER_MARK = 0xfeff

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36
}

export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code)
}

export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === NEWLINE || code === CARRIAGE_RETURN || code === BYTE_ORDER_MARK
}
