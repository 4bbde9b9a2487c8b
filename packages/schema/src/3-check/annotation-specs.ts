/** What an annotation may stand on. */
export type AnnotationTarget = 'interface' | 'table' | 'field' | 'any'

/** Which fields an annotation fits. */
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

/** All there is to know about one annotation: the checker obeys it and the reference is made from it. */
export interface AnnotationSpec {
  readonly on: AnnotationTarget
  readonly fits?: FieldFit
  readonly args: readonly ArgumentSpec[]
  /** Whether it may stand on one target several times. */
  readonly repeatable?: true
  /** Whether it speaks of a column, so that it means nothing inside JSON. */
  readonly column?: true
  /** Whether only a table's own fields may carry it, not those of nested objects. */
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
      'Makes the interface a table with this physical name. Without a name the interface name is used as it is; an explicit name is recommended.',
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
      'Tells schema sync that the table was renamed, so that its rows are kept. Remove it once every environment is migrated.',
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
      'Tells schema sync that the column was renamed, so that its values are kept. Remove it once every environment is migrated.',
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
    about: 'Sets how many digits a decimal has, and how many of them after the point. Without it: 38 and 9.',
    example: '@db.column.precision 12, 2',
  },
  'db.column.version': {
    on: 'field',
    fits: 'number.int',
    args: [],
    column: true,
    ownField: true,
    about:
      'Counts the writes of a record for optimistic locking: raised on every write, checked when a write names it.',
    example: '@db.column.version',
  },
  'db.ignore': {
    on: 'field',
    args: [],
    column: true,
    about: 'Keeps the field in the type and gives it no column. It cannot stand with `@meta.id`.',
    example: '@db.ignore',
  },
  'db.json': {
    on: 'field',
    fits: 'object or array',
    args: [],
    column: true,
    about: 'Keeps a nested object in one JSON column instead of a column for each of its fields.',
    example: '@db.json',
  },
  'db.writeOnly': {
    on: 'field',
    args: [],
    column: true,
    about: 'Accepts the field over HTTP and never returns it, filters or sorts by it there.',
    example: '@db.writeOnly',
  },
  'db.default': {
    on: 'field',
    fits: 'scalar',
    args: [{ name: 'value', kind: 'value' }],
    column: true,
    about: 'The value an insert uses when the field is left out. It is checked against the type.',
    example: "@db.default 'member'",
  },
  'db.default.increment': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'start', kind: 'integer', optional: true }],
    column: true,
    ownField: true,
    about: 'Counts up from 1, or from the given start.',
    example: '@db.default.increment 1000',
  },
  'db.default.uuid': {
    on: 'field',
    fits: 'string',
    args: [],
    column: true,
    ownField: true,
    about: 'Makes a UUID (version 7, ordered by time).',
    example: '@db.default.uuid',
  },
  'db.default.now': {
    on: 'field',
    fits: 'timestamp',
    args: [],
    column: true,
    ownField: true,
    about: 'Takes the time of the insert, in milliseconds.',
    example: '@db.default.now',
  },
  'db.index.plain': {
    on: 'field',
    fits: 'scalar',
    args: [optionalText('name'), { name: 'order', kind: 'text', optional: true, choices: ['asc', 'desc'] }],
    repeatable: true,
    column: true,
    about: 'Puts the column into an index. Fields that share a name share one index, in their order.',
    example: "@db.index.plain 'by_team', 'desc'",
  },
  'db.index.unique': {
    on: 'field',
    fits: 'scalar',
    args: [optionalText('name')],
    repeatable: true,
    column: true,
    about: 'Allows each value once. Fields that share a name are unique together.',
    example: "@db.index.unique 'slug_in_team'",
  },
  'db.rel.FK': {
    on: 'field',
    args: [optionalText('name')],
    column: true,
    ownField: true,
    about:
      "Makes the field a foreign key; its type is another table's key field. Fields to one composite key form one foreign key, told apart by name where there are several.",
    example: '@db.rel.FK',
  },
  'db.rel.onDelete': {
    on: 'field',
    args: [{ name: 'action', kind: 'text', choices: actions }],
    column: true,
    ownField: true,
    about: "What happens to this record when the one it refers to is deleted. Without it: `'restrict'`.",
    example: "@db.rel.onDelete 'setNull'",
  },
  'db.rel.onUpdate': {
    on: 'field',
    args: [{ name: 'action', kind: 'text', choices: actions }],
    column: true,
    ownField: true,
    about: "What happens to this record when the key it refers to changes. Without it: `'restrict'`.",
    example: "@db.rel.onUpdate 'cascade'",
  },
  'db.rel.to': {
    on: 'field',
    fits: 'table',
    args: [optionalText('foreign key')],
    column: true,
    ownField: true,
    about: 'Navigates along a foreign key of this table. The field has no column.',
    example: '@db.rel.to',
  },
  'db.rel.from': {
    on: 'field',
    fits: 'table',
    args: [optionalText('foreign key')],
    column: true,
    ownField: true,
    about: 'Navigates against a foreign key of the other table. The field has no column.',
    example: '@db.rel.from',
  },
  'db.rel.via': {
    on: 'field',
    fits: 'table',
    args: [{ name: 'junction table', kind: 'name' }, optionalText('foreign key to this table')],
    column: true,
    ownField: true,
    about: 'Navigates through a junction table that has a foreign key to each side. The field has no column.',
    example: '@db.rel.via TaskTag',
  },
  'meta.label': {
    on: 'any',
    args: [text('text')],
    about: 'A short name for people: `title` in JSON Schema.',
    example: "@meta.label 'E-mail'",
  },
  'meta.description': {
    on: 'any',
    args: [text('text')],
    about: 'A description, in Markdown: `description` in JSON Schema. It takes the place of the documentation comment.',
    example: "@meta.description 'Where we write to.'",
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
    about: 'Marks it as deprecated in types, JSON Schema and API descriptions.',
    example: "@meta.deprecated 'Use fullName.'",
  },
  'expect.min': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'least value', kind: 'number' }, message],
    about: 'The least value allowed.',
    example: '@expect.min 0',
  },
  'expect.max': {
    on: 'field',
    fits: 'number',
    args: [{ name: 'greatest value', kind: 'number' }, message],
    about: 'The greatest value allowed.',
    example: "@expect.max 100, 'At most a hundred'",
  },
  'expect.minLength': {
    on: 'field',
    fits: 'string or array',
    args: [{ name: 'least length', kind: 'integer' }, message],
    about: 'The fewest characters of a text, or items of an array.',
    example: '@expect.minLength 3',
  },
  'expect.maxLength': {
    on: 'field',
    fits: 'string or array',
    args: [{ name: 'greatest length', kind: 'integer' }, message],
    about: 'The most characters of a text, or items of an array.',
    example: '@expect.maxLength 280',
  },
  'expect.pattern': {
    on: 'field',
    fits: 'string',
    args: [text('regular expression'), message],
    about:
      'A regular expression that a text has to match, with the `u` flag; anchor it with `^` and `$` to match the whole.',
    example: "@expect.pattern '^[a-z-]+$', 'Lower-case letters and dashes'",
  },
  'expect.int': {
    on: 'field',
    fits: 'number',
    args: [message],
    about: 'Only whole numbers.',
    example: '@expect.int',
  },
}
