/**
 * What a schema means, as plain data that knows no syntax: made by the checker, read by the emitters, and carried
 * into programs by the generated modules.
 */

export type StringSubtype = 'email' | 'uuid' | 'url' | 'date' | 'datetime' | 'required'
export type NumberSubtype = 'int' | 'timestamp' | 'timestamp.created' | 'timestamp.updated'
export type Literal = string | number | boolean | null

/** How many digits a decimal has in all, and how many of them stand after the point. */
export interface Precision {
  readonly precision: number
  readonly scale: number
}

/** What a decimal has that declares no precision. */
export const DEFAULT_PRECISION: Precision = Object.freeze({ precision: 38, scale: 9 })

/** The type of a field or declaration. */
export type Type =
  | { readonly kind: 'string'; readonly subtype?: StringSubtype }
  | NumberType
  | { readonly kind: 'boolean' }
  /** Held as text. Without a declared precision it has up to 38 digits, 9 of them after the point. */
  | { readonly kind: 'decimal'; readonly precision?: Precision }
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'union'; readonly members: readonly Type[] }
  | { readonly kind: 'array'; readonly element: Type }
  | ObjectType
  | { readonly kind: 'named'; readonly declaration: Declaration }
  /** The type of a navigation field: the records of another table. */
  | { readonly kind: 'records'; readonly table: string; readonly path: string; readonly many: boolean }
  /** What could not be resolved and was reported. */
  | { readonly kind: 'unknown' }

export interface NumberType {
  readonly kind: 'number'
  readonly subtype?: NumberSubtype
  /** True for whole numbers within ±(2^53 − 1): keys, `number.int` and timestamps. */
  readonly integer: boolean
  /** True for keys and references to them, whose columns are of an integer type. */
  readonly key?: true
}

export interface ObjectType {
  readonly kind: 'object'
  readonly fields: readonly Field[]
}

/** Words about a declaration or field, for people. */
export interface Meta {
  readonly label?: string
  readonly description?: string
  readonly example?: Literal
  readonly deprecated?: true | string
}

/** One `@expect` rule of a field. */
export interface Expectation {
  readonly rule: 'min' | 'max' | 'minLength' | 'maxLength' | 'pattern' | 'int'
  readonly value: number | string | true
  /** What to say when a value breaks the rule; a default text otherwise. */
  readonly message?: string
}

/** The value a column gets when an insert leaves it out. */
export type Default =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'increment'; readonly start: number }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'now' }

/** Who fills a column: the table layer at insert, at every write, or as the counter of writes. */
export type Generated = 'created' | 'updated' | 'version'

/** One field of an interface or nested object. */
export interface Field {
  /** An identifier, as all names of the language are. */
  readonly name: string
  readonly optional: boolean
  readonly type: Type
  /** `stored` in columns, `ignored` by storage, or a `navigation` to another table. */
  readonly role: 'stored' | 'ignored' | 'navigation'
  readonly key: boolean
  /** Whether an object or array is kept in one JSON column on demand. */
  readonly json: boolean
  readonly writeOnly: boolean
  readonly columnName?: string
  readonly renamedFrom: readonly string[]
  readonly default?: Default
  readonly generated?: Generated
  /** The field of another declaration that this field is typed as. */
  readonly reference?: FieldReference
  readonly indexes: readonly FieldIndex[]
  readonly foreignKey?: FieldForeignKey
  readonly navigation?: FieldNavigation
  readonly expectations: readonly Expectation[]
  readonly meta: Meta
}

/** A field's part in an index. */
export interface FieldIndex {
  readonly unique: boolean
  /** Fields that share a name share an index. */
  readonly name?: string
  readonly order: 'asc' | 'desc'
}

/** A field's part in a foreign key. */
export interface FieldForeignKey {
  readonly name?: string
  readonly onDelete?: ForeignKeyAction
  readonly onUpdate?: ForeignKeyAction
}

/** Which way a navigation field leads. */
export interface FieldNavigation {
  readonly kind: 'to' | 'from' | 'via'
  /** The foreign key to follow, where there are several. */
  readonly foreignKey?: string
  readonly junction?: { readonly table: string; readonly path: string }
}

export interface FieldReference {
  readonly table: string
  readonly path: string
  readonly field: string
}

/** One `interface` or `type` of a schema file. */
export interface Declaration {
  readonly kind: 'table' | 'interface' | 'type'
  readonly name: string
  /** The schema file that declares it. */
  readonly path: string
  readonly exported: boolean
  readonly type: Type
  readonly bases: readonly Declaration[]
  /** How many of an interface's fields, the first ones, come from its bases. */
  readonly inherited: number
  /** How deep its type nests. */
  readonly depth: number
  readonly meta: Meta
  /** For an alias of a field reference, what it refers to. */
  readonly reference?: FieldReference
  /** The stored side, for tables. */
  readonly table?: TableModel
}

/** What a column holds. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'decimal' | 'json'

/** How a column is stored: like its type, and `integer` for number keys and references to them. */
export type Storage = 'text' | 'real' | 'integer' | 'decimal' | 'boolean' | 'json'

/** One column: where its value stands in a record, and how it is stored. */
export interface Column {
  /** The place in a record: `email`, or `address.geo.lat` for a flattened object. */
  readonly path: string
  /** The physical name. */
  readonly name: string
  readonly type: ColumnType
  readonly storage: Storage
  readonly subtype?: StringSubtype | NumberSubtype
  /** Whether only whole numbers within ±(2^53 − 1) are allowed. */
  readonly integer: boolean
  /** What a JSON column holds. */
  readonly shape?: 'array' | 'object' | 'mixed'
  /** What each element of an array is, where all of them are plain values of one type. */
  readonly element?: 'string' | 'number' | 'boolean'
  /** The only values allowed, where the type lists them. */
  readonly values?: readonly (string | number | boolean)[]
  /** Whether the column may be NULL: its field or an object around it is optional, or its type allows `null`. */
  readonly nullable: boolean
  /** Whether the field itself may be absent; where `nullable` is true and this is not, NULL reads as `null`. */
  readonly optional: boolean
  /** Whether its type has `null` in it: such a column may be NULL also where the object around it is there. */
  readonly allowsNull?: true
  readonly key: boolean
  readonly default?: Default
  readonly generated?: Generated
  readonly precision?: Precision
  /** The `@expect` rules of its values: bounds, lengths and patterns. */
  readonly expect?: ColumnRules
  /** Accepted over HTTP, never returned, filtered or sorted there. */
  readonly writeOnly: boolean
  /** Physical names it had before. */
  readonly renamedFrom: readonly string[]
}

/** What `@expect` says of the values of a column. */
export interface ColumnRules {
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly patterns?: readonly string[]
}

/** A nested object kept in columns of its own. */
export interface Group {
  readonly path: string
  readonly optional: boolean
  /** For an optional object, the physical name of a column that is NULL exactly when the object is absent. */
  readonly presence?: string
}

export interface IndexColumn {
  readonly path: string
  readonly column: string
  readonly order: 'asc' | 'desc'
}

export interface Index {
  /** The physical name, which begins with the table's. */
  readonly name: string
  readonly unique: boolean
  readonly columns: readonly IndexColumn[]
}

export type ForeignKeyAction = 'cascade' | 'restrict' | 'setNull' | 'setDefault' | 'noAction'

export interface ForeignKey {
  /** The declared name, or the first field's. */
  readonly name: string
  /** The physical name of the constraint. */
  readonly constraint: string
  readonly paths: readonly string[]
  readonly columns: readonly string[]
  readonly references: {
    /** The declaration's name. */
    readonly declaration: string
    readonly table: string
    readonly schema?: string
    readonly paths: readonly string[]
    readonly columns: readonly string[]
  }
  readonly onDelete: ForeignKeyAction
  readonly onUpdate: ForeignKeyAction
}

/** Fields of this table and of another that are equal when records belong together. */
export interface RelationPair {
  readonly here: string
  readonly there: string
}

/** A navigation field. */
export interface Relation {
  readonly name: string
  /** `to` follows a foreign key of this table, `from` one of the target, `via` two of a junction table. */
  readonly kind: 'to' | 'from' | 'via'
  /** The declaration's name of the table it leads to. */
  readonly target: string
  readonly many: boolean
  /** For `to` and `from`: fields here and in the target. For `via`: fields here and in the junction. */
  readonly on: readonly RelationPair[]
  /** For `via`: the junction, and its fields beside those of the target. */
  readonly via?: { readonly junction: string; readonly on: readonly RelationPair[] }
}

/** The stored side of a table. */
export interface TableModel {
  /** The declaration's name. */
  readonly name: string
  /** The physical name, without the schema. */
  readonly table: string
  readonly schema?: string
  /** Physical names it had before. */
  readonly renamedFrom: readonly string[]
  /** The key fields, in order. */
  readonly key: readonly string[]
  readonly columns: readonly Column[]
  readonly groups: readonly Group[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly relations: readonly Relation[]
  /** Fields that are in the type and in no column. */
  readonly ignored: readonly string[]
}

/** The declarations of one schema file. */
export interface FileModel {
  readonly path: string
  readonly declarations: readonly Declaration[]
}
