/** The types of queries. They follow the generated interfaces: an unknown field or a value of another type does not compile. */

import type { AnyTable, DecimalsOf, NoRelations, RecordOf, RelationsOf } from '@portico/schema/runtime'

type Scalar = string | number | boolean

/** The dotted paths of a record's fields: `name`, `address.city`. */
export type FieldPath<R> = Paths<R, [0, 0, 0, 0, 0]>

type Paths<R, Depth extends unknown[]> = Depth extends [unknown, ...infer Rest]
  ? { [K in keyof R & string]-?: PathsOf<K, NonNullable<R[K]>, Rest> }[keyof R & string]
  : never

type PathsOf<K extends string, V, Rest extends unknown[]> = V extends Scalar | readonly unknown[]
  ? K
  : V extends object
    ? K | `${K}.${Paths<V, Rest>}`
    : K

/** The type of the value at a path. */
export type ValueAt<Row, Path extends string> = Path extends keyof Row
  ? Exclude<Row[Path], null | undefined>
  : Path extends `${infer K}.${infer Rest}`
    ? K extends keyof Row
      ? ValueAt<NonNullable<Row[K]>, Rest>
      : never
    : never

/** Comparisons of a field. Comparing a missing value is false; `$ne` and `$nin` are exact opposites of `$eq` and `$in`. */
export interface Operators<V> {
  readonly $eq?: V | null
  readonly $ne?: V | null
  readonly $gt?: V
  readonly $gte?: V
  readonly $lt?: V
  readonly $lte?: V
  readonly $in?: readonly (V | null)[]
  readonly $nin?: readonly (V | null)[]
  /** `true` matches missing values, `false` present ones. */
  readonly $null?: boolean
}

/** Comparisons of text. Decimals have no patterns, although their type is `string`. */
export interface TextOperators<V> extends Operators<V> {
  /** Case-sensitive. `%` matches any text, `_` one character; `\` escapes either. */
  readonly $like?: string
  /** Like `$like`, but ignores case for A–Z. */
  readonly $ilike?: string
}

/** Not distributed over a union, so that `$in` accepts all of its members. */
type Condition<V, IsDecimal> = [V] extends [Scalar]
  ? V | null | ([V, IsDecimal] extends [string, false] ? TextOperators<V> : Operators<V>)
  : null | Pick<Operators<V>, '$null'>

/**
 * A condition: every entry has to hold. `Decimals` are the paths of decimals, `DecimalsOf<typeof Task>`.
 *
 * ```ts
 * { role: 'admin', age: { $gte: 18 }, $or: [{ 'address.city': 'Bern' }, { address: null }] }
 * ```
 */
export type Where<Row, Decimals = never> = {
  readonly [P in FieldPath<Row>]?: Condition<ValueAt<Row, P>, P extends Decimals ? true : false>
} & {
  readonly $and?: readonly Where<Row, Decimals>[]
  readonly $or?: readonly Where<Row, Decimals>[]
  readonly $not?: Where<Row, Decimals>
}

/** The sort order. Objects and arrays cannot be sorted by. */
export type OrderBy<R> = {
  readonly [P in FieldPath<R> as [ValueAt<R, P>] extends [Scalar] ? P : never]?: 'asc' | 'desc'
}

/** The table that a relation leads to: `typeof Team`, or one of `(typeof Task)[]`. */
type TargetOf<V> = NonNullable<V> extends readonly (infer T)[] ? T : NonNullable<V>

/** The related records to load, by the names of the relations. */
export type With<Relations> = {
  readonly [Name in keyof Relations]?: true | RelatedQueryOf<TargetOf<Relations[Name]>> | undefined
}

type RelatedQueryOf<T> = T extends AnyTable ? RelatedQuery<RecordOf<T>, RelationsOf<T>, DecimalsOf<T>> : never

/** A query for related records. Each level takes one query, for any number of records. */
export interface RelatedQuery<Row, Relations, Decimals> {
  readonly where?: Where<Row, Decimals>
  readonly orderBy?: OrderBy<Row> | undefined
  readonly select?: readonly (keyof Row & string)[] | undefined
  readonly with?: With<Relations> | undefined
}

/** The parts of each record to read. */
export interface ReadOptions<Relations, Selected extends string, Loading extends With<Relations>> {
  /** The fields to read. Default: all. */
  readonly select?: readonly Selected[] | undefined
  // `With<Relations>` adds nothing to the type. Editors use it for completion while `Loading` is inferred. Not
  // `| undefined`: TypeScript would infer that a relation is always loaded where `with` loads it on a condition.
  readonly with?: Loading & With<Relations>
}

export interface FindOptions<
  Row,
  Relations,
  Decimals,
  Selected extends keyof Row & string,
  Loading extends With<Relations>,
> extends ReadOptions<Relations, Selected, Loading> {
  readonly where?: Where<Row, Decimals>
  /** With a limit or an offset, the primary key is added as the last criterion, so that pages do not overlap. */
  readonly orderBy?: OrderBy<Row> | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface StreamOptions<
  Row,
  Relations,
  Decimals,
  Selected extends keyof Row & string,
  Loading extends With<Relations>,
> extends ReadOptions<Relations, Selected, Loading> {
  readonly where?: Where<Row, Decimals>
  /** The number of records per batch. Default 500. */
  readonly batchSize?: number | undefined
}

/** A record with the selected fields and the loaded relations. */
export type Found<Row, Selected extends keyof Row, Loading, Relations> = [keyof Loading & keyof Relations] extends [
  never,
]
  ? SelectedFields<Row, Selected>
  : Flat<SelectedFields<Row, Selected> & CertainRelations<Relations, Loading> & PossibleRelations<Relations, Loading>>

/**
 * The records of a table with related ones, as a query with this `with` finds them.
 *
 * ```ts
 * function print(task: Loaded<typeof Task, { project: true; tags: { select: ['name'] } }>) {}
 * ```
 */
export type Loaded<Table extends AnyTable, Loading extends With<RelationsOf<Table>>> = Found<
  RecordOf<Table>,
  keyof RecordOf<Table>,
  Loading,
  RelationsOf<Table>
>

/** Without a selection, `Selected` has every name, and the type is the declared one. */
type SelectedFields<Row, Selected extends keyof Row> = [keyof Row] extends [Selected] ? Row : Flat<Pick<Row, Selected>>

type CertainRelations<Relations, Loading> = {
  [Name in keyof Loading & keyof Relations as IsCertain<Relations[Name], Loading[Name]> extends true
    ? Name
    : never]: FoundAt<Relations[Name], Loading[Name]>
}

type PossibleRelations<Relations, Loading> = {
  [Name in keyof Loading & keyof Relations as IsCertain<Relations[Name], Loading[Name]> extends true
    ? never
    : Name]?: FoundAt<Relations[Name], Loading[Name]>
}

/**
 * A to-many relation is always set, as an empty list if there are no records. A to-one relation is set if its foreign key
 * is required and the query has no condition.
 */
type IsCertain<Relation, Query> = undefined extends Query
  ? false
  : NonNullable<Relation> extends readonly unknown[]
    ? true
    : undefined extends Relation
      ? false
      : Query extends { readonly where: unknown }
        ? false
        : true

type FoundAt<Relation, Query> =
  NonNullable<Relation> extends readonly (infer Target)[]
    ? FoundRelated<Target, NonNullable<Query>>[]
    : FoundRelated<Relation, NonNullable<Query>>

/** The related record, as `true` or a query loads it. */
type FoundRelated<Related, Query> =
  NonNullable<Related> extends infer Target extends AnyTable
    ? Found<
        RecordOf<Target>,
        Query extends { readonly select: readonly (infer Selected)[] | undefined }
          ? Selected & keyof RecordOf<Target>
          : keyof RecordOf<Target>,
        Query extends { readonly with: infer Loading } ? Loading : NoRelations,
        RelationsOf<Target>
      >
    : never

/** `& {}` makes editors show the fields instead of the name of this type. */
type Flat<T> = { [K in keyof T]: T[K] } & {}

/** The fields that the table layer sets, timestamps and the version: every record has them, a replacement need not. */
export type FilledIn<Row, Replace> = {
  [Name in keyof Row & keyof Replace]: Record<never, never> extends Pick<Replace, Name>
    ? Record<never, never> extends Pick<Row, Name>
      ? never
      : Name
    : never
}[keyof Row & keyof Replace]

/** A key: an object with all key fields, or the bare value of a single one. */
export type KeyInput<K> = K | (IsUnion<keyof K> extends false ? K[keyof K] : never)

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
