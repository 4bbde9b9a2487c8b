import { cut, list, type Wording } from './wording.ts'

/** Messages about annotations, where they may be used, and their arguments. */
export const annotationMessages = {
  unknown_annotation: {
    severity: 'error',
    about: 'An annotation that does not exist.',
    text: (name: string, meant: readonly string[]): Wording => [
      `unknown annotation \`@${cut(name)}\``,
      meant.length > 1
        ? `available: ${list(meant.map((it) => `@${it}`))}`
        : meant[0] && `did you mean \`@${meant[0]}\`?`,
    ],
  },
  wrong_target: {
    severity: 'error',
    about: 'An annotation on a declaration that belongs on a field, or vice versa.',
    text: (name: string, wanted: string, found: string): Wording => `\`@${name}\` goes on ${wanted}, not on ${found}`,
  },
  needs_table: {
    severity: 'error',
    about: 'A table annotation on an interface that is not a table.',
    text: (name: string, owner: string): Wording => [
      `\`@${name}\` needs a table, but \`${owner}\` is not a table`,
      'add @db.table to the interface',
    ],
  },
  nested_annotation: {
    severity: 'error',
    about: "An annotation or type that only a table's own fields may have, inside a nested object.",
    text: (what: string): Wording => `${what} is only allowed on a table's own fields, not inside a nested object`,
  },
  annotation_in_json: {
    severity: 'error',
    about: 'An annotation about a column inside an array or a JSON column, where there are no columns.',
    text: (name: string): Wording => `\`@${name}\` has no effect here: the value is stored inside one JSON column`,
  },
  duplicate_annotation: {
    severity: 'error',
    about: 'The same annotation twice on one declaration or field.',
    text: (name: string): Wording => `duplicate annotation \`@${name}\``,
  },
  conflicting_annotations: {
    severity: 'error',
    about: 'Two annotations on one field that contradict each other.',
    text: (first: string, second: string): Wording =>
      `\`@${first}\` and \`@${second}\` cannot be used on the same field`,
  },
  missing_argument: {
    severity: 'error',
    about: 'An annotation without an argument that it needs.',
    text: (name: string, what: string, example: string): Wording => [
      `\`@${name}\` needs ${what}`,
      `for example \`${example}\``,
    ],
  },
  extra_argument: {
    severity: 'error',
    about: 'More arguments than an annotation takes.',
    text: (name: string, takes: string): Wording => `\`@${name}\` takes ${takes}`,
  },
  wrong_argument: {
    severity: 'error',
    about: 'An argument of the wrong kind, or outside its allowed values.',
    text: (name: string, what: string, found: string, hint: string | undefined): Wording => [
      `\`@${name}\` expects ${what}, found ${found}`,
      hint,
    ],
  },
  wrong_field_type: {
    severity: 'error',
    about: 'An annotation on a field whose type it does not fit.',
    text: (name: string, wanted: string, found: string): Wording =>
      `\`@${name}\` goes on ${wanted}; this field is ${found}`,
  },
  bad_default: {
    severity: 'error',
    about: 'A default that is not a value of its field.',
    text: (found: string, wanted: string): Wording => `the default ${found} is not ${wanted}`,
  },
  bad_pattern: {
    severity: 'error',
    about: 'A pattern that is not a valid regular expression.',
    text: (reason: string): Wording => `invalid regular expression: ${reason}`,
  },
  bad_precision: {
    severity: 'error',
    about: 'A precision and scale that no database offers.',
    text: (): Wording =>
      'expected a precision from 1 to 65 and a scale from 0 to 30 that does not exceed the precision',
  },
  precision_inexact: {
    severity: 'warning',
    about: 'A decimal precision that SQLite cannot store exactly.',
    text: (precision: number): Wording => [
      `SQLite stores 15 significant digits exactly and rejects values with more; this column allows ${precision}`,
      'a precision of 15 or less is exact on every database',
    ],
  },
  empty_range: {
    severity: 'error',
    about: 'A minimum value or length above the maximum.',
    text: (min: string, max: string): Wording => `no value can be valid: \`@${min}\` is above \`@${max}\``,
  },
} as const
