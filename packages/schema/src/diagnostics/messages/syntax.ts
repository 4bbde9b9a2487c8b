import { cut, meant, type Wording } from './wording.ts'

/** Messages of the lexer and the parser, and the limit on the number of problems. */
export const syntaxMessages = {
  stray_character: {
    severity: 'error',
    about: 'A character that has no meaning in the language.',
    text: (character: string, hint?: string): Wording => [
      `unexpected character ${JSON.stringify(character)}`,
      hint ?? 'names are made of ASCII letters, digits, `_` and `$`',
    ],
  },
  annotation_name_missing: {
    severity: 'error',
    about: 'An `@` without a name after it.',
    text: (): Wording => 'expected the name of an annotation right after `@`',
  },
  unterminated_string: {
    severity: 'error',
    about: 'A string without a closing quote on the same line.',
    text: (): Wording => 'unterminated string: there is no closing quote on this line',
  },
  unknown_escape: {
    severity: 'error',
    about: 'A backslash that does not start a valid escape.',
    text: (written: string): Wording => [
      `unknown escape \`${written}\``,
      `write \`\\${written}\` for a backslash; the escapes are \\n \\r \\t \\\\ \\' \\" and \\u with four hexadecimal digits`,
    ],
  },
  bad_number: {
    severity: 'error',
    about: 'A number that cannot be read.',
    text: (written: string): Wording => `\`${cut(written)}\` is not a number`,
  },
  unterminated_comment: {
    severity: 'error',
    about: 'A block comment that is never closed.',
    text: (): Wording => 'this comment has no closing `*/`',
  },
  unexpected: {
    severity: 'error',
    about: 'Something other than what the grammar expects.',
    text: (what: string, found: string, hint?: string): Wording => [`expected ${what}, found ${found}`, hint],
  },
  expected_declaration: {
    severity: 'error',
    about: 'Something at the top level that is not a declaration or an import.',
    text: (found: string, near: string | undefined, hint?: string): Wording => [
      `expected \`interface\`, \`type\` or \`import\`, found ${found}`,
      hint ?? meant(near),
    ],
  },
  missing_brace: {
    severity: 'error',
    about: 'An object or interface that is never closed.',
    text: (found: string): Wording => `expected \`}\`, found ${found}`,
  },
  missing_separator: {
    severity: 'error',
    about: 'Two fields on one line with nothing between them.',
    text: (found: string): Wording => `expected a new line or \`,\` before ${found}`,
  },
  nesting_too_deep: {
    severity: 'error',
    about: 'Types that nest too deep, in one place or through the types they name.',
    text: (max: number): Wording => `types may nest at most ${max} levels deep`,
  },
  stray_annotation: {
    severity: 'error',
    about: 'An annotation with no field or declaration after it.',
    text: (name: string, target: string): Wording => `expected a ${target} after \`@${name}\``,
  },
  annotation_parentheses: {
    severity: 'error',
    about: 'Annotation arguments in parentheses.',
    text: (meant: string): Wording => [
      'annotation arguments are written without parentheses',
      `write \`${cut(meant)}\``,
    ],
  },
  too_many_problems: {
    severity: 'error',
    about: 'A file with too many problems to list them all.',
    text: (): Wording => 'too many problems; fix the ones above first',
  },
} as const
