import { cut, onlyCase, type Wording } from './wording.ts'

/** What is said of tables: their keys, columns, indexes and physical names. */
export const tableMessages = {
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
  duplicate_constraint: {
    severity: 'error',
    about:
      'Two indexes, two foreign keys, or an index and a table with the same physical name, or with names that differ only in case.',
    text: (what: string, name: string, other: string, otherName: string): Wording => [
      name === otherName
        ? `the physical name \`${name}\` of this ${what} is also that of ${other}`
        : `the physical names \`${name}\` of this ${what} and \`${otherName}\` of ${other} ${onlyCase}`,
      'give one of them another name',
    ],
  },
  bad_physical_name: {
    severity: 'error',
    about: 'A physical name that is empty, has control characters or is longer than 63 bytes.',
    text: (name: string, why: string): Wording => `the physical name \`${cut(name)}\` ${why}`,
  },
  reserved_physical_name: {
    severity: 'error',
    about:
      'A table or column named `__proto__`, or a table that begins with `portico__`, by itself or together with its schema.',
    text: (name: string, why: string): Wording => [`the physical name \`${name}\` ${why}`, 'choose another name'],
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
  too_many_previous_names: {
    severity: 'error',
    about: 'A column with more previous names than sync could look for, those of the objects around it counted in.',
    text: (path: string, most: number): Wording => [
      `\`${path}\` has more than ${most} previous names, those of the objects around it counted in`,
      'take away each @db.column.renamed that every database has been through',
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
} as const
