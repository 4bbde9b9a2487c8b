import type { Column, ForeignKey, Group, Index, Relation, TableModel } from '../model.ts'
import type { Check } from './checks.ts'
import { createSchema, createStandard, createValidate, deepFreeze, type JsonSchema, type Schema } from './schema.ts'
import { describeInput, describeKey } from './variants.ts'

/** Any declared table. */
export type AnyTable = TableDeclaration<unknown, unknown, unknown, unknown, unknown, unknown, unknown>

/** The type of a table's records: `RecordOf<typeof User>` is `User`. */
export type RecordOf<T extends AnyTable> = T extends Schema<infer Row> ? Row : never

/** The input type of inserts. */
export type InsertOf<T extends AnyTable> = T['insertSchema'] extends Schema<infer Insert> ? Insert : never

/** The input type of replacements. */
export type ReplaceOf<T extends AnyTable> = T['replaceSchema'] extends Schema<infer Replace> ? Replace : never

/** The input type of updates. */
export type UpdateOf<T extends AnyTable> = T['updateSchema'] extends Schema<infer Update> ? Update : never

/** The relations of a table by name: `typeof Team` for one record, `(typeof Task)[]` for a list. */
export type RelationsOf<T extends AnyTable> = NonNullable<T['~types']>['relations']

/** The dotted paths of a table's decimals. They are strings in TypeScript and numbers in the database. */
export type DecimalsOf<T extends AnyTable> = NonNullable<T['~types']>['decimals'] & string

/** The type of a table's primary key. */
export type KeyOf<T extends AnyTable> = T['keySchema'] extends Schema<infer Key> ? Key : never

/** A relation with references to the declarations of the other tables. */
export interface TableRelation extends Relation {
  /** The target table. A function, because tables may reference each other. */
  readonly table: () => AnyTable
  /** For `via`, the junction table. */
  readonly junction?: (() => AnyTable) | undefined
}

/**
 * A declared table at run time: its storage (names, columns, key, indexes, foreign keys), validators and JSON Schemas.
 * Frozen. Created by generated modules.
 *
 * ```ts
 * import { User } from './users.portico.js'
 *
 * const columns = User.columns.map((it) => it.name)
 * const result = User.insertSchema.validate(body)
 * ```
 */
export interface TableDeclaration<Row, Insert, Update, Key, Replace, Relations = NoRelations, Decimals = never>
  extends Schema<Row>,
    TableModel {
  readonly kind: 'table'
  /** Type information for queries. Never present at run time. */
  readonly '~types'?: TableTypes<Row, Relations, Decimals>
  readonly relations: readonly TableRelation[]
  /** Input of an insert: fields that have a default or are generated may be omitted. */
  readonly insertSchema: Schema<Insert>
  /** Input of a replacement: all fields except generated ones. */
  readonly replaceSchema: Schema<Replace>
  /** Input of an update: the key and any other fields. */
  readonly updateSchema: Schema<Update>
  /** The primary key alone. */
  readonly keySchema: Schema<Key>
}

/** The types of a table that only queries use. */
export interface TableTypes<Row, Relations, Decimals> {
  readonly record: Row
  readonly relations: Relations
  readonly decimals: Decimals
}

/** Used for tables without relations. */
export type NoRelations = { readonly [name in never]: never }

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

/** A column in a generated module. Omitted properties get their defaults. */
export type ColumnDefinition = Optional<
  Column,
  'integer' | 'nullable' | 'optional' | 'key' | 'writeOnly' | 'renamedFrom'
>

/** A table in a generated module. */
export interface TableDefinition {
  readonly name: string
  readonly table: string
  readonly schema?: string
  readonly renamedFrom?: readonly string[]
  readonly key: readonly string[]
  readonly columns: readonly ColumnDefinition[]
  readonly groups?: readonly Group[]
  readonly indexes?: readonly Index[]
  readonly foreignKeys?: readonly ForeignKey[]
  readonly relations?: readonly TableRelation[]
  readonly ignored?: readonly string[]
  readonly jsonSchema: JsonSchema
  readonly check: Check
}

/** Creates the frozen declaration of a table. Called by generated modules. */
export function defineTable<Row, Insert, Update, Key, Replace, Relations = NoRelations, Decimals = never>(
  definition: TableDefinition,
): TableDeclaration<Row, Insert, Update, Key, Replace, Relations, Decimals> {
  const { name, jsonSchema, check, schema } = definition
  const model: TableModel & { relations: readonly TableRelation[] } = {
    name,
    table: definition.table,
    ...(schema !== undefined && { schema }),
    renamedFrom: definition.renamedFrom ?? [],
    key: definition.key,
    columns: definition.columns.map(completeColumn),
    groups: definition.groups ?? [],
    indexes: definition.indexes ?? [],
    foreignKeys: definition.foreignKeys ?? [],
    relations: definition.relations ?? [],
    ignored: definition.ignored ?? [],
  }
  deepFreeze(model)
  deepFreeze(jsonSchema)
  const validate = createValidate<Row>(check, 'record')
  return Object.freeze({
    ...model,
    kind: 'table' as const,
    jsonSchema,
    check,
    validate,
    is: (value: unknown): value is Row => validate(value).ok,
    '~standard': createStandard(validate),
    insertSchema: createSchema<Insert>(`${name}Insert`, check, 'insert', () =>
      describeInput(model, jsonSchema, 'insert'),
    ),
    replaceSchema: createSchema<Replace>(`${name}Replace`, check, 'replace', () =>
      describeInput(model, jsonSchema, 'replace'),
    ),
    updateSchema: createSchema<Update>(`${name}Update`, check, 'update', () =>
      describeInput(model, jsonSchema, 'update'),
    ),
    keySchema: createSchema<Key>(`${name}Key`, keyCheck(model, check), 'update', () => describeKey(model, jsonSchema)),
  })
}

function completeColumn(column: ColumnDefinition): Column {
  return { integer: false, nullable: false, optional: false, key: false, writeOnly: false, renamedFrom: [], ...column }
}

/** A key is validated as an update that has no other fields. */
function keyCheck({ key }: TableModel, check: Check): Check {
  return (value, path, issues, mode) => {
    check(value, path, issues, mode)
    if (typeof value !== 'object' || value === null) return
    for (const name in value) {
      const isReported = issues.some((it) => it.path.length === path.length + 1 && it.path.at(-1) === name)
      if (key.includes(name) || isReported) continue
      issues.push({ path: [...path, name], code: 'additionalProperties', message: 'is not a key field' })
    }
  }
}
