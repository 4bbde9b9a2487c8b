import { list, type Wording } from './wording.ts'

/** Messages about references between tables: foreign keys and navigation fields. */
export const relationMessages = {
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
      'a foreign key references the whole primary key',
    ],
  },
  foreign_key_ambiguous: {
    severity: 'error',
    about: 'Two fields of one foreign key that reference the same key field.',
    text: (reference: string): Wording => [
      `two fields of one foreign key reference \`${reference}\``,
      "give each foreign key a name: @db.rel.FK 'author'",
    ],
  },
  needs_foreign_key: {
    severity: 'error',
    about: 'A foreign key action on a field that is not a foreign key.',
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
    text: (field: string): Wording => [`'setNull' needs an optional field`, `mark it optional: \`${field}?\``],
  },
  set_default_missing: {
    severity: 'error',
    about: "The action `'setDefault'` on a field without a default.",
    text: (): Wording => [`'setDefault' needs a default`, 'add @db.default to the field'],
  },
  relation_type: {
    severity: 'error',
    about: 'A navigation field whose type is not a table.',
    text: (name: string, wanted: string): Wording => `\`@${name}\` goes on a field typed as ${wanted}`,
  },
  relation_unknown: {
    severity: 'error',
    about: 'A navigation field without a foreign key to follow.',
    text: (from: string, to: string, name: string | undefined, names: readonly string[]): Wording => [
      name ? `\`${from}\` has no foreign key \`${name}\` to \`${to}\`` : `\`${from}\` has no foreign key to \`${to}\``,
      names.length > 0
        ? `it has ${list(names.map((it) => `'${it}'`))}`
        : `add a field to \`${from}\` that is typed as the key of \`${to}\` and has @db.rel.FK`,
    ],
  },
  relation_ambiguous: {
    severity: 'error',
    about: 'A navigation field that could follow several foreign keys.',
    text: (from: string, to: string, names: readonly string[]): Wording => [
      `\`${from}\` has several foreign keys to \`${to}\``,
      `name the one to follow: ${list(names.map((it) => `'${it}'`))}`,
    ],
  },
} as const
