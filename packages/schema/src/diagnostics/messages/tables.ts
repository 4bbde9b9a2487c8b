import { cut, onlyCase, type Wording } from './wording.ts'

/** Messages about tables: their keys, columns, indexes and physical names. */
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
    about: 'A key field that is write-only.',
    text: (field: string): Wording => `the key field \`${field}\` cannot be write-only: records are looked up by it`,
  },
  duplicate_version: {
    severity: 'error',
    about: 'Two version columns in one table.',
    text: (table: string): Wording => `table \`${table}\` has two version columns`,
  },
  duplicate_increment: {
    severity: 'error',
    about: 'Two auto-increment columns in one table.',
    text: (table: string): Wording => `table \`${table}\` has two columns with @db.default.increment`,
  },
  duplicate_column: {
    severity: 'error',
    about: 'Two fields of a table that map to one column, or to two columns whose names differ only in case.',
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
      'One index name used for both a plain and a unique index, twice on one field, or in two spellings that differ only in case.',
    text: (name: string, other: string): Wording =>
      name === other
        ? `the index \`${name}\` cannot be both plain and unique, or contain a field twice`
        : `the indexes \`${other}\` and \`${name}\` ${onlyCase}`,
  },
  duplicate_constraint: {
    severity: 'error',
    about:
      'Two indexes, two foreign keys, or an index and a table with the same physical name, or with names that differ only in case.',
    text: (what: string, name: string, other: string, otherName: string): Wording => [
      name === otherName
        ? `the physical name \`${name}\` of this ${what} is already used by ${other}`
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
      'A table or column named `__proto__`, or a table whose name, alone or with its schema, begins with `portico__`.',
    text: (name: string, why: string): Wording => [`the physical name \`${name}\` ${why}`, 'choose another name'],
  },
  renamed_to_existing: {
    severity: 'error',
    about: 'A previous name that is the current name of a column or table.',
    text: (name: string, owner: string, annotation: string): Wording => [
      `\`${name}\` is the current name of ${owner}, so nothing can be renamed from it`,
      `remove the annotation, or give ${owner} another name with ${annotation}`,
    ],
  },
  too_many_columns: {
    severity: 'error',
    about: 'A table with more columns than databases allow.',
    text: (table: string, max: number): Wording => [
      `table \`${table}\` has more than ${max} columns`,
      'store large nested objects in one column with @db.json',
    ],
  },
  too_many_previous_names: {
    severity: 'error',
    about: 'A column with too many previous names, including those of the objects around it.',
    text: (path: string, max: number): Wording => [
      `\`${path}\` has more than ${max} previous names, including those of the objects around it`,
      'remove each @db.column.renamed that every database has already applied',
    ],
  },
  empty_optional_object: {
    severity: 'error',
    about: 'An optional nested object whose fields are all optional.',
    text: (field: string): Wording => [
      `\`${field}\` and all its fields are optional: stored in columns, absent and empty look the same`,
      'store it in one column with @db.json',
    ],
  },
  optional_null: {
    severity: 'error',
    about: 'A field that is both optional and nullable.',
    text: (field: string): Wording => [
      `\`${field}\` is both optional and nullable, which one column cannot store`,
      'keep either `?` or `| null`',
    ],
  },
  no_column_type: {
    severity: 'error',
    about: 'A union whose members have no storage type in common.',
    text: (field: string): Wording => [
      `the values of \`${field}\` have no common column type`,
      'store it in one column with @db.json',
    ],
  },
} as const
