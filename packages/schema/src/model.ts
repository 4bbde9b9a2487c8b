/**
 * The meaning of a schema as plain data, independent of syntax. The checker builds it, the emitters read it, and
 * generated modules carry it into programs.
 */

export type StringSubtype = 'email' | 'uuid' | 'url' | 'date' | 'datetime' | 'required'
export type NumberSubtype = 'int' | 'timestamp' | 'timestamp.created' | 'timestamp.updated'
export type Literal = string | number | boolean | null

/** The total number of digits of a decimal, and the digits after the point. */
export interface Precision {
  readonly precision: number
  readonly scale: number
}

/** Used for decimals without `@db.column.precision`. */
export const DEFAULT_PRECISION: Precision = Object.freeze({ precision: 38, scale: 9 })

/** The type of a field or declaration. */
export type Type =
  | { readonly kind: 'string'; readonly subtype?: StringSubtype }
  | NumberType
  | { readonly kind: 'boolean' }
  /** A string in TypeScript. Without a declared precision: up to 38 digits, 9 of them after the point. */
  | { readonly kind: 'decimal'; readonly precision?: Precision }
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'union'; readonly members: readonly Type[] }
  | { readonly kind: 'array'; readonly element: Type }
  | ObjectType
  | { readonly kind: 'named'; readonly declaration: Declaration }
  /** The type of a navigation field: the records of another table. */
  | { readonly kind: 'records'; readonly table: string; readonly path: string; readonly many: boolean }
  /** Could not be resolved; reported already. */
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

/** Documentation of a declaration or field. */
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
  /** A custom message for invalid values. */
  readonly message?: string
}

/** The value of a column that an insert omits. */
export type Default =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'increment'; readonly start: number }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'now' }

/** When the table layer fills a column: on insert, on every write, or as a version that every write increments. */
export type Generated = 'created' | 'updated' | 'version'

/** One field of an interface or nested object. */
export interface Field {
  /** Always an identifier. */
  readonly name: string
  readonly optional: boolean
  readonly type: Type
  /** `stored` in columns, `ignored` by storage, or a `navigation` to another table. */
  readonly role: 'stored' | 'ignored' | 'navigation'
  readonly key: boolean
  /** True if `@db.json` stores the object or array in one JSON column. */
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

/** The direction of a navigation field. */
export interface FieldNavigation {
  readonly kind: 'to' | 'from' | 'via'
  /** The foreign key to follow if there are several. */
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
  /** The number of inherited fields. They come first. */
  readonly inherited: number
  /** The nesting depth of its type. */
  readonly depth: number
  readonly meta: Meta
  /** For an alias such as `type TeamId = Team.id`: the field. */
  readonly reference?: FieldReference
  /** Storage details, for tables. */
  readonly table?: TableModel
}

export type ColumnType = 'string' | 'number' | 'boolean' | 'decimal' | 'json'

/** The storage type of a column. Number keys and references to them are `integer`. */
export type Storage = 'text' | 'real' | 'integer' | 'decimal' | 'boolean' | 'json'

/** One column: the path of its value in a record, and its storage. */
export interface Column {
  /** The path in a record: `email`, or `address.geo.lat` in a flattened object. */
  readonly path: string
  /** The physical name. */
  readonly name: string
  readonly type: ColumnType
  readonly storage: Storage
  readonly subtype?: StringSubtype | NumberSubtype
  /** True if only whole numbers within ±(2^53 − 1) are allowed. */
  readonly integer: boolean
  /** The kind of value in a JSON column. */
  readonly shape?: 'array' | 'object' | 'mixed'
  /** The type of array elements, if all are plain values of one type. */
  readonly element?: 'string' | 'number' | 'boolean'
  /** The allowed values, if the type lists them. */
  readonly values?: readonly (string | number | boolean)[]
  /** True if the column may be NULL: its field or a parent object is optional, or its type allows `null`. */
  readonly nullable: boolean
  /** True if the field itself may be absent. If only `nullable` is true, NULL reads as `null`. */
  readonly optional: boolean
  /** True if its type includes `null`. Such a column may be NULL even if its parent object is present. */
  readonly allowsNull?: true
  readonly key: boolean
  readonly default?: Default
  readonly generated?: Generated
  readonly precision?: Precision
  /** The `@expect` rules for its values: bounds, lengths and patterns. */
  readonly expect?: ColumnRules
  /** Accepted over HTTP, but never returned, filtered or sorted by there. */
  readonly writeOnly: boolean
  /** Physical names it had before. */
  readonly renamedFrom: readonly string[]
}

/** The `@expect` rules of a column. */
export interface ColumnRules {
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly patterns?: readonly string[]
}

/** A nested object that is flattened into columns. */
export interface Group {
  readonly path: string
  readonly optional: boolean
  /** For an optional object: the physical name of a column that is NULL exactly if the object is absent. */
  readonly presence?: string
}

export interface IndexColumn {
  readonly path: string
  readonly column: string
  readonly order: 'asc' | 'desc'
}

export interface Index {
  /** The physical name. It starts with the name of the table. */
  readonly name: string
  readonly unique: boolean
  readonly columns: readonly IndexColumn[]
}

export type ForeignKeyAction = 'cascade' | 'restrict' | 'setNull' | 'setDefault' | 'noAction'

export interface ForeignKey {
  /** The declared name, or the name of the first field. */
  readonly name: string
  /** The physical name of the constraint. */
  readonly constraint: string
  readonly paths: readonly string[]
  readonly columns: readonly string[]
  readonly references: {
    /** The declared name. */
    readonly declaration: string
    readonly table: string
    readonly schema?: string
    readonly paths: readonly string[]
    readonly columns: readonly string[]
  }
  readonly onDelete: ForeignKeyAction
  readonly onUpdate: ForeignKeyAction
}

/** A field of this table and the field of the other table that it matches. */
export interface RelationPair {
  readonly here: string
  readonly there: string
}

/** A navigation field. */
export interface Relation {
  readonly name: string
  /** `to` follows a foreign key of this table, `from` one of the target, `via` two of a junction table. */
  readonly kind: 'to' | 'from' | 'via'
  /** The declared name of the target table. */
  readonly target: string
  readonly many: boolean
  /** For `to` and `from`: fields here and in the target. For `via`: fields here and in the junction. */
  readonly on: readonly RelationPair[]
  /** For `via`: the junction table, and the fields that join it to the target. */
  readonly via?: { readonly junction: string; readonly on: readonly RelationPair[] }
}

/** The storage of a table: its names, columns, key, indexes and foreign keys. */
export interface TableModel {
  /** The declared name. */
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
  /** Fields of the type without a column. */
  readonly ignored: readonly string[]
}

/** The declarations of one schema file. */
export interface FileModel {
  readonly path: string
  readonly declarations: readonly Declaration[]
}
