export const NEWLINE = 10
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const ASTERISK = 42
export const PLUS = 43
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const AT = 64
export const BACKSLASH = 92
const BYTE_ORDER_MARK = 0xfeff

/** The class of each ASCII character. A lookup table, since the lexer asks for every character. */
const classes: Uint8Array = new Uint8Array(128)
const PLAIN_SPACE = 1
const NAME_START = 2
const DIGIT = 3
for (let code = 0; code < 128; code++) {
  const letter = String.fromCharCode(code)
  if (/[ \t\n\r]/.test(letter)) classes[code] = PLAIN_SPACE
  else if (/[A-Za-z_$]/.test(letter)) classes[code] = NAME_START
  else if (/[0-9]/.test(letter)) classes[code] = DIGIT
}

/** The offset of the first character that is not part of the name at `from`. */
export function endOfName(text: string, from: number): number {
  let at = from
  // Beyond the table and the end of the text the lookup is undefined, so the comparison is false.
  while (classes[text.charCodeAt(at)]! >= NAME_START) at += 1
  return at
}

/** The offset after a dotted path such as `a.b.c`. */
export function endOfPath(text: string, from: number): number {
  if (!isNameStart(text.charCodeAt(from))) return from
  let at = endOfName(text, from)
  while (text.charCodeAt(at) === DOT && isNameStart(text.charCodeAt(at + 1))) at = endOfName(text, at + 1)
  return at
}

export function isDigit(code: number): boolean {
  return classes[code] === DIGIT
}

export function isNameStart(code: number): boolean {
  return classes[code] === NAME_START
}

export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code)
}

export function isSpace(code: number): boolean {
  return classes[code] === PLAIN_SPACE || code === BYTE_ORDER_MARK
}
