export type Severity = 'error' | 'warning'

/** The message, or the message and what would mend it. */
export type Wording = string | readonly [message: string, hint: string | undefined]

export interface Message {
  readonly severity: Severity
  /** One sentence for the reference: when this is reported. */
  readonly about: string
  readonly text: (...args: never[]) => Wording
}

const onlyCase = 'differ only in case, which not every database tells apart'

const meant = (name: string | undefined): string | undefined => name && `did you mean \`${name}\`?`

/** Every diagnostic of the language, by its code: codes never change, wording may. */
export const messages = {
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
    about: 'A text without its closing quote on the same line.',
    text: (): Wording => 'this text has no closing quote on its line',
  },
  unknown_escape: {
    severity: 'error',
    about: 'A backslash followed by something that is no escape.',
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
    about: 'Something else than the grammar asks for.',
    text: (what: string, found: string, hint?: string): Wording => [`expected ${what}, found ${found}`, hint],
  },
  expected_declaration: {
    severity: 'error',
    about: 'Something at the top level that begins no declaration and no import.',
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
    about: 'Types nested deeper than the language allows, in one place or through the types they name.',
    text: (most: number): Wording => `types may nest ${most} levels deep, and here it is deeper`,
  },
  stray_annotation: {
    severity: 'error',
    about: 'An annotation that nothing follows.',
    text: (name: string, target: string): Wording => `expected a ${target} after \`@${name}\``,
  },
  annotation_parentheses: {
    severity: 'error',
    about: 'Arguments of an annotation in parentheses.',
    text: (meant: string): Wording => [
      'the arguments of an annotation stand without parentheses',
      `write \`${cut(meant)}\``,
    ],
  },
  too_many_problems: {
    severity: 'error',
    about: 'A file with so many problems that the rest are left out.',
    text: (): Wording => 'there are more problems than fit here; mend the ones above first',
  },
  duplicate_name: {
    severity: 'error',
    about: 'Two declarations or imports of one file with the same name.',
    text: (name: string): Wording => `\`${name}\` is declared twice in this file`,
  },
  reserved_name: {
    severity: 'error',
    about: 'A declaration or field with a name that the language or TypeScript keeps for itself.',
    text: (name: string): Wording => `\`${name}\` is a reserved name`,
  },
  generated_name_taken: {
    severity: 'error',
    about: 'A declaration with a name that the generated module needs for another one.',
    text: (name: string, owner: string): Wording => `\`${name}\` is also what is generated for \`${owner}\``,
  },
  bad_import_path: {
    severity: 'error',
    about: 'An import path that is not relative.',
    text: (path: string): Wording => [
      `\`${cut(path)}\` is no relative path`,
      "begin it with './' or '../', such as './teams'",
    ],
  },
  file_not_found: {
    severity: 'error',
    about: 'An imported file that does not exist.',
    text: (path: string): Wording => `there is no schema file \`${path}\``,
  },
  unknown_import: {
    severity: 'error',
    about: 'An imported name that the other file does not declare.',
    text: (name: string, file: string, near: string | undefined): Wording => [
      `\`${file}\` declares no \`${name}\``,
      meant(near),
    ],
  },
  not_exported: {
    severity: 'error',
    about: 'An imported name that the other file declares without `export`.',
    text: (name: string, file: string): Wording => [
      `\`${name}\` is not exported by \`${file}\``,
      'put `export` before it',
    ],
  },
  unknown_name: {
    severity: 'error',
    about: 'A type that is neither built in nor declared nor imported.',
    text: (name: string, near: string | undefined, hint: string | undefined): Wording => [
      `unknown type \`${name}\``,
      hint ?? meant(near),
    ],
  },
  unknown_subtype: {
    severity: 'error',
    about: 'A dotted subtype that a built-in type does not have.',
    text: (base: string, written: string, near: string | undefined, all: readonly string[]): Wording => [
      `\`${base}\` has no subtype \`${written}\``,
      meant(near) ?? (all.length > 0 ? `it has ${list(all)}` : undefined),
    ],
  },
  unknown_field: {
    severity: 'error',
    about: 'A reference to a field that its interface does not have.',
    text: (owner: string, field: string, near: string | undefined): Wording => [
      `\`${owner}\` has no field \`${field}\``,
      near && `did you mean \`${owner}.${near}\`?`,
    ],
  },
  reference_not_scalar: {
    severity: 'error',
    about: 'A field reference to a field that holds an object or a navigation.',
    text: (reference: string): Wording => [
      `\`${reference}\` holds an object, and only fields with plain values can be referred to`,
      'declare the object as an interface of its own and name that',
    ],
  },
  duplicate_field: {
    severity: 'error',
    about: 'Two fields of one object, inherited ones included, with the same name.',
    text: (name: string, owner: string | undefined): Wording =>
      owner ? `\`${name}\` is already a field of \`${owner}\`` : `the field \`${name}\` is declared twice`,
  },
  extends_not_interface: {
    severity: 'error',
    about: '`extends` with something that is no interface.',
    text: (name: string): Wording => `\`${name}\` is a type, and only interfaces can be extended`,
  },
  type_cycle: {
    severity: 'error',
    about: 'Types that contain each other, so that no value of them could ever end.',
    text: (path: readonly string[]): Wording => [
      `this type contains itself: ${path.join(' → ')}`,
      'between tables, refer to a key field and navigate with @db.rel.to or @db.rel.from',
    ],
  },
  duplicate_union_member: {
    severity: 'error',
    about: 'The same type twice in one union.',
    text: (written: string): Wording => `${written} stands in this union twice`,
  },
  unknown_annotation: {
    severity: 'error',
    about: 'An annotation that the language does not have.',
    text: (name: string, meant: readonly string[]): Wording => [
      `unknown annotation \`@${cut(name)}\``,
      meant.length > 1
        ? `there are ${list(meant.map((it) => `@${it}`))}`
        : meant[0] && `did you mean \`@${meant[0]}\`?`,
    ],
  },
  wrong_target: {
    severity: 'error',
    about: 'An annotation on a declaration that belongs on a field, or the other way round.',
    text: (name: string, wanted: string, found: string): Wording => `\`@${name}\` goes on ${wanted}, not on ${found}`,
  },
  needs_table: {
    severity: 'error',
    about: 'An annotation about the table on an interface that is no table.',
    text: (name: string, owner: string): Wording => [
      `\`@${name}\` needs a table, and \`${owner}\` is none`,
      'add @db.table to the interface',
    ],
  },
  nested_annotation: {
    severity: 'error',
    about: "An annotation or type that only a table's own fields may have, inside a nested object.",
    text: (what: string): Wording => `${what} may stand on a table's own fields only, not inside a nested object`,
  },
  annotation_in_json: {
    severity: 'error',
    about: 'An annotation about a column inside an array or a JSON column, where there are no columns.',
    text: (name: string): Wording => `\`@${name}\` has no effect here: the value is kept inside one JSON column`,
  },
  duplicate_annotation: {
    severity: 'error',
    about: 'The same annotation twice on one declaration or field.',
    text: (name: string): Wording => `\`@${name}\` stands here twice`,
  },
  conflicting_annotations: {
    severity: 'error',
    about: 'Two annotations on one field that contradict each other.',
    text: (first: string, second: string): Wording => `\`@${first}\` and \`@${second}\` cannot stand on one field`,
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
    about: 'A pattern that is no regular expression.',
    text: (reason: string): Wording => `this is no regular expression: ${reason}`,
  },
  bad_precision: {
    severity: 'error',
    about: 'A precision and scale that no database offers.',
    text: (): Wording => 'expected a precision from 1 to 65 and a scale from 0 to 30 that is not above the precision',
  },
  precision_inexact: {
    severity: 'warning',
    about: 'A decimal precision that SQLite cannot keep exactly.',
    text: (precision: number): Wording => [
      `SQLite keeps 15 significant digits exactly and refuses values with more; this column allows ${precision}`,
      'a precision of 15 or less is exact on every database',
    ],
  },
  empty_range: {
    severity: 'error',
    about: 'A smallest value or length above the largest one.',
    text: (least: string, most: string): Wording => `no value fits: \`@${least}\` is above \`@${most}\``,
  },
  ignored_key: {
    severity: 'error',
    about: 'A field that is both a key and ignored.',
    text: (table: string, field: string): Wording =>
      `table \`${table}\`: field \`${field}\` carries both @meta.id and @db.ignore`,
  },
  missing_key: {
    severity: 'warning',
    about: 'A table without a primary key.',
    text: (table: string): Wording => [`table \`${table}\` has no primary key`, 'mark its key field with @meta.id'],
  },
  bad_key: {
    severity: 'error',
    about: 'A key field that is optional, an array, an object or may be null.',
    text: (field: string, what: string): Wording => `the key field \`${field}\` may not be ${what}`,
  },
  write_only_key: {
    severity: 'error',
    about: 'A key field that may not be read.',
    text: (field: string): Wording => `the key field \`${field}\` cannot be write-only: a record is found by it`,
  },
  duplicate_version: {
    severity: 'error',
    about: 'Two version columns in one table.',
    text: (table: string): Wording => `table \`${table}\` has two version columns`,
  },
  duplicate_increment: {
    severity: 'error',
    about: 'Two counted columns in one table.',
    text: (table: string): Wording => `table \`${table}\` has two columns with @db.default.increment`,
  },
  duplicate_column: {
    severity: 'error',
    about: 'Two fields of a table that end in one column, or in two whose names differ only in case.',
    text: (column: string, first: string, second: string, other: string): Wording => [
      column === other
        ? `the fields \`${first}\` and \`${second}\` both have the column \`${column}\``
        : `the columns \`${other}\` and \`${column}\` ${onlyCase}`,
      'give one of them another name with @db.column',
    ],
  },
  duplicate_table: {
    severity: 'error',
    about: 'Two tables with the same physical name, or with names that differ only in case.',
    text: (table: string, first: string, second: string, other: string): Wording => [
      table === other
        ? `\`${first}\` and \`${second}\` both have the physical name \`${table}\``
        : `the tables \`${other}\` and \`${table}\` ${onlyCase}`,
      'give one of them another name with @db.table',
    ],
  },
  duplicate_index: {
    severity: 'error',
    about:
      'One index name used both for plain and for unique, twice on one field, or in two spellings of upper and lower case.',
    text: (name: string, other: string): Wording =>
      name === other
        ? `the index \`${name}\` cannot be both plain and unique, nor hold a field twice`
        : `the indexes \`${other}\` and \`${name}\` ${onlyCase}`,
  },
  bad_physical_name: {
    severity: 'error',
    about: 'A physical name that is empty, has control characters or is longer than 63 bytes.',
    text: (name: string, why: string): Wording => `the physical name \`${cut(name)}\` ${why}`,
  },
  renamed_to_existing: {
    severity: 'error',
    about: 'A previous name that is the present name of a column or table.',
    text: (name: string, owner: string, annotation: string): Wording => [
      `\`${name}\` is what ${owner} is called now, so nothing can have been renamed from it`,
      `take the annotation away, or give ${owner} another name with ${annotation}`,
    ],
  },
  too_many_columns: {
    severity: 'error',
    about: 'A table with more columns than databases offer.',
    text: (table: string, most: number): Wording => [
      `table \`${table}\` has more than ${most} columns`,
      'keep large nested objects in one column with @db.json',
    ],
  },
  empty_optional_object: {
    severity: 'error',
    about: 'An optional nested object whose fields are all optional.',
    text: (field: string): Wording => [
      `\`${field}\` is optional and so are all its fields: in columns, absent and empty cannot be told apart`,
      'keep it in one column with @db.json',
    ],
  },
  optional_null: {
    severity: 'error',
    about: 'A column that may be both absent and null.',
    text: (field: string): Wording => [
      `\`${field}\` may be absent and null, which one column cannot tell apart`,
      'keep either `?` or `| null`',
    ],
  },
  no_column_type: {
    severity: 'error',
    about: 'A union whose members have no storage type in common.',
    text: (field: string): Wording => [
      `the values of \`${field}\` have no one column type`,
      'keep it in one column with @db.json',
    ],
  },
  table_as_value: {
    severity: 'error',
    about: 'A table used as the type of a stored field.',
    text: (table: string): Wording => [
      `the table \`${table}\` cannot be the type of a stored value`,
      `refer to its key (\`${table}.id\`), and navigate to it with @db.rel.to, @db.rel.from or @db.rel.via`,
    ],
  },
  foreign_key_type: {
    severity: 'error',
    about: 'A foreign key that is not typed as the key field of a table.',
    text: (field: string): Wording => [
      `the foreign key \`${field}\` is not typed as the key field of a table`,
      'write the type as a reference, such as `Team.id`',
    ],
  },
  foreign_key_incomplete: {
    severity: 'error',
    about: 'A foreign key that leaves out part of a composite key.',
    text: (table: string, missing: readonly string[]): Wording => [
      `the foreign key to \`${table}\` lacks ${list(missing.map((it) => `${table}.${it}`))}`,
      'a foreign key refers to the whole key',
    ],
  },
  foreign_key_ambiguous: {
    severity: 'error',
    about: 'Two fields of one foreign key that refer to the same key field.',
    text: (reference: string): Wording => [
      `two fields of one foreign key refer to \`${reference}\``,
      "tell the foreign keys apart by name: @db.rel.FK 'author'",
    ],
  },
  needs_foreign_key: {
    severity: 'error',
    about: 'A foreign key action on a field that is no foreign key.',
    text: (name: string): Wording => [`\`@${name}\` needs a foreign key`, 'add @db.rel.FK to the field'],
  },
  foreign_key_actions: {
    severity: 'error',
    about: 'Two different actions on the fields of one foreign key.',
    text: (name: string): Wording => `the fields of one foreign key have different \`@${name}\``,
  },
  set_null_required: {
    severity: 'error',
    about: "The action `'setNull'` on a field that may not be null.",
    text: (field: string): Wording => [`'setNull' needs a field that may be absent`, `mark it optional: \`${field}?\``],
  },
  set_default_missing: {
    severity: 'error',
    about: "The action `'setDefault'` on a field without a default.",
    text: (): Wording => [`'setDefault' needs a default`, 'add @db.default to the field'],
  },
  relation_type: {
    severity: 'error',
    about: 'A navigation field whose type is no table.',
    text: (name: string, wanted: string): Wording => `\`@${name}\` goes on a field typed as ${wanted}`,
  },
  relation_unknown: {
    severity: 'error',
    about: 'A navigation without a foreign key to follow.',
    text: (from: string, to: string, name: string | undefined, names: readonly string[]): Wording => [
      name ? `\`${from}\` has no foreign key \`${name}\` to \`${to}\`` : `\`${from}\` has no foreign key to \`${to}\``,
      names.length > 0
        ? `it has ${list(names.map((it) => `'${it}'`))}`
        : `add a field to \`${from}\` that is typed as the key of \`${to}\` and carries @db.rel.FK`,
    ],
  },
  relation_ambiguous: {
    severity: 'error',
    about: 'A navigation with several foreign keys to choose from.',
    text: (from: string, to: string, names: readonly string[]): Wording => [
      `\`${from}\` has several foreign keys to \`${to}\``,
      `name the one to follow: ${list(names.map((it) => `'${it}'`))}`,
    ],
  },
} as const

/** The code of a diagnostic. */
export type DiagnosticCode = keyof typeof messages

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function list(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word.replaceAll('`', '')}\``)
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
