/** Where an annotation may be used. */
type AnnotationTarget = 'interface' | 'table' | 'field' | 'any'

/** The field types that an annotation can be used on. */
export type FieldFit =
  | 'number'
  | 'string'
  | 'decimal'
  | 'timestamp'
  | 'number.int'
  | 'string or array'
  | 'object or array'
  | 'scalar'
  | 'table'

export interface ArgumentSpec {
  readonly name: string
  readonly kind: 'text' | 'number' | 'integer' | 'value' | 'name'
  readonly optional?: true
  readonly choices?: readonly string[]
}

/** The definition of one annotation. The checker uses it, and the reference page is generated from it. */
export interface AnnotationSpec {
  readonly on: AnnotationTarget
  readonly fits?: FieldFit
  readonly args: readonly ArgumentSpec[]
  /** True if it may be repeated on one target. */
  readonly repeatable?: true
  /** True if it is about a column and so has no meaning inside JSON. */
  readonly column?: true
  /** True if it is only allowed on a table's own fields, not on those of nested objects. */
  readonly ownField?: true
  readonly about: string
  readonly example: string
}

const text = (name: string): ArgumentSpec => ({ name, kind: 'text' })
const optionalText = (name: string): ArgumentSpec => ({ name, kind: 'text', optional: true })
const actions = ['cascade', 'restrict', 'setNull', 'setDefault', 'noAction'] as const
const message = optionalText('message')

/** Every annotation of the language by its name. */
export const annotationSpecs: Readonly<Record<string, AnnotationSpec>> = {
  'db.table': {
    on: 'interface',
    args: [optionalText('name')],
    about:
      'Makes the interface a table with this physical name. Default: the interface name as is. An explicit name is recommended.',
    example: "@db.table 'users'",
  },
  'db.schema': {
    on: 'table',
    args: [text('name')],
    about:
      'Places the table in a schema or namespace: its full path is `<schema>.<table>`. Databases without schemas prefix the table name.',
    example: "@db.schema 'auth'",
  },
  'db.table.renamed': {
    on: 'table',
    args: [text('previous name')],
    repeatable: true,
    about:
      'The previous name of a renamed table, so that schema sync keeps its rows. Remove it once every environment is migrated.',
    example: "@db.table.renamed 'people'",
  },
  'meta.id': {
    on: 'field',
    args: [],
    ownField: true,
    about: 'Marks a primary-key field. Several marked fields form a composite key. A `number` key holds whole numbers.',
    example: '@meta.id',
  },
  'db.column': {
    on: 'field',
    args: [text('name')],
    column: true,
    about:
      'Sets the physical column name. On a nested object it renames the prefix of its columns; on a field inside one, the last part.',
    example: "@db.column 'email_address'",
  },
  'db.column.renamed': {
    on: 'field',
    args: [text('previous name')],
    repeatable: true,
    column: true,
    about:
      'The previous name of a renamed column, so that schema sync keeps its values. Remove it once every environment is migrated.',
    example: "@db.column.renamed 'mail'",
  },
  'db.column.precision': {
    on: 'field',
    fits: 'decimal',
    args: [
      { name: 'precision', kind: 'integer' },
      { name: 'scale', kind: 'integer' },
    ],
    column: true,
    about: 'Sets the total number of digits of a decimal, and the digits after the point. Default: 38 and 9.',
    example: '@db.column.precision 12, 2',
  },
  'db.column.version': {
    on: 'field',
    fits: 'number.int',
    args: [],
    column: true,
    ownField: true,
    about:
      'A version number for optimistic locking. Every write increments it; a write that includes it fails if the version has changed.',
    example: '@db.column.version',
  },
  'db.ignore': {
    on: 'field',
    args: [],
    column: true,
    about: 'Keeps the field in the type without a column. Cannot be combined with `@meta.id`.',
    example: '@db.ignore',
  },
  'db.json': {
    on: 'field',
    fits: 'object or array',
    args: [],
    column: true,
    about: 'Stores a nested object in one JSON column instead of one column per field.',
    example: '@db.json',
  },
  'db.writeOnly': {
    on: 'field',
    args: [],
    column: true,
    about: 'Accepts the field over HTTP, but never returns it and never filters or sorts by it there.',
    example: '@db.writeOnly',
  },
  'db.default': {
    on: 'field',
    fits: 'scalar',
    args: [{ name: 'value', kind: 'value' }],
    column: true,
    about: 'The value for inserts that omit the field. It is checked against the type.',
    example: "@db.default 'member'",
  },
  'db.default.increment': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'start', kind: 'integer', optional: true }],
    column: true,
    ownField: true,
    about: 'Auto-increment, starting at 1 or at the given number.',
    example: '@db.default.increment 1000',
  },
  'db.default.uuid': {
    on: 'field',
    fits: 'string',
    args: [],
    column: true,
    ownField: true,
    about: 'Generates a UUID (version 7, ordered by time).',
    example: '@db.default.uuid',
  },
  'db.default.now': {
    on: 'field',
    fits: 'timestamp',
    args: [],
    column: true,
    ownField: true,
    about: 'The time of the insert, in milliseconds.',
    example: '@db.default.now',
  },
  'db.index.plain': {
    on: 'field',
    fits: 'scalar',
    args: [optionalText('name'), { name: 'order', kind: 'text', optional: true, choices: ['asc', 'desc'] }],
    repeatable: true,
    column: true,
    about: 'Adds the column to an index. Fields with the same index name form one index, in field order.',
    example: "@db.index.plain 'by_team', 'desc'",
  },
  'db.index.unique': {
    on: 'field',
    fits: 'scalar',
    args: [optionalText('name')],
    repeatable: true,
    column: true,
    about: 'Makes values unique. Fields with the same index name are unique together.',
    example: "@db.index.unique 'slug_in_team'",
  },
  'db.rel.FK': {
    on: 'field',
    args: [optionalText('name')],
    column: true,
    ownField: true,
    about:
      "Makes the field a foreign key. Its type must be another table's key field. Fields that reference one composite key form one foreign key; name them if there are several.",
    example: '@db.rel.FK',
  },
  'db.rel.onDelete': {
    on: 'field',
    args: [{ name: 'action', kind: 'text', choices: actions }],
    column: true,
    ownField: true,
    about: "The action on this record when the referenced record is deleted. Default: `'restrict'`.",
    example: "@db.rel.onDelete 'setNull'",
  },
  'db.rel.onUpdate': {
    on: 'field',
    args: [{ name: 'action', kind: 'text', choices: actions }],
    column: true,
    ownField: true,
    about: "The action on this record when the referenced key changes. Default: `'restrict'`.",
    example: "@db.rel.onUpdate 'cascade'",
  },
  'db.rel.to': {
    on: 'field',
    fits: 'table',
    args: [optionalText('foreign key')],
    column: true,
    ownField: true,
    about: 'Loads the record that a foreign key of this table references. The field has no column.',
    example: '@db.rel.to',
  },
  'db.rel.from': {
    on: 'field',
    fits: 'table',
    args: [optionalText('foreign key')],
    column: true,
    ownField: true,
    about: 'Loads the records whose foreign key references this record. The field has no column.',
    example: '@db.rel.from',
  },
  'db.rel.via': {
    on: 'field',
    fits: 'table',
    args: [{ name: 'junction table', kind: 'name' }, optionalText('foreign key to this table')],
    column: true,
    ownField: true,
    about: 'Loads records through a junction table with a foreign key to each side. The field has no column.',
    example: '@db.rel.via TaskTag',
  },
  'meta.label': {
    on: 'any',
    args: [text('text')],
    about: 'A human-readable name: `title` in JSON Schema.',
    example: "@meta.label 'E-mail'",
  },
  'meta.description': {
    on: 'any',
    args: [text('text')],
    about: 'A description, in Markdown: `description` in JSON Schema. It replaces the documentation comment.',
    example: "@meta.description 'Used for notifications.'",
  },
  'meta.example': {
    on: 'any',
    args: [{ name: 'value', kind: 'value' }],
    about: 'An example value: `examples` in JSON Schema.',
    example: "@meta.example 'ada@example.com'",
  },
  'meta.deprecated': {
    on: 'any',
    args: [optionalText('reason')],
    about: 'Marks the target as deprecated in types, JSON Schema and API descriptions.',
    example: "@meta.deprecated 'Use fullName.'",
  },
  'expect.min': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'minimum', kind: 'number' }, message],
    about: 'The minimum value.',
    example: '@expect.min 0',
  },
  'expect.max': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'maximum', kind: 'number' }, message],
    about: 'The maximum value.',
    example: "@expect.max 100, 'At most 100'",
  },
  'expect.minLength': {
    on: 'field',
    fits: 'string or array',
    args: [{ name: 'minimum length', kind: 'integer' }, message],
    about: 'The minimum number of characters of a string, or of items of an array.',
    example: '@expect.minLength 3',
  },
  'expect.maxLength': {
    on: 'field',
    fits: 'string or array',
    args: [{ name: 'maximum length', kind: 'integer' }, message],
    about: 'The maximum number of characters of a string, or of items of an array.',
    example: '@expect.maxLength 280',
  },
  'expect.pattern': {
    on: 'field',
    fits: 'string',
    args: [text('regular expression'), message],
    about:
      'A regular expression (with the `u` flag) that a string must match. Anchor it with `^` and `$` to match the whole string.',
    example: "@expect.pattern '^[a-z-]+$', 'Lower-case letters and dashes'",
  },
  'expect.int': {
    on: 'field',
    fits: 'number',
    args: [message],
    about: 'Allows only whole numbers.',
    example: '@expect.int',
  },
}
