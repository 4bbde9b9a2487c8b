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

/** Whether a character goes on with a name, by its code: names are most of a schema, so this is looked up. */
const nameParts: Uint8Array = new Uint8Array(128)
for (let code = 0; code < 128; code++) if (isNamePart(code)) nameParts[code] = 1

/** The offset of the first character from an offset on that is no part of a name. */
export function endOfName(text: string, from: number): number {
  let at = from
  // Past the table and past the end of the text there is nothing, which is not 1 either.
  while (nameParts[text.charCodeAt(at)] === 1) at += 1
  return at
}

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
