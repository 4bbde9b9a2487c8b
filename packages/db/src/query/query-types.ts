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
 * A condition: every entry has to hold. `D` are the paths of decimals, `DecimalsOf<typeof Task>`.
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

/** The related records to load, by the names of the relations `L`. */
export type With<L> = { readonly [N in keyof L]?: true | RelatedQueryOf<TargetOf<L[N]>> }

type RelatedQueryOf<T> = T extends AnyTable ? RelatedQuery<RecordOf<T>, RelationsOf<T>, DecimalsOf<T>> : never

/** A query for related records. Each level takes one query, for any number of records. */
export interface RelatedQuery<Row, Relations, Decimals> {
  readonly where?: Where<Row, Decimals>
  readonly orderBy?: OrderBy<Row>
  readonly select?: readonly (keyof Row & string)[]
  readonly with?: With<Relations>
}

/** The parts of each record to read. */
export interface ReadOptions<Relations, Selected extends string, Loading extends With<Relations>> {
  /** The fields to read. Default: all. */
  readonly select?: readonly Selected[]
  // `With<Relations>` adds nothing to the type. Editors use it for completion while `Loading` is inferred.
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
  readonly orderBy?: OrderBy<Row>
  readonly limit?: number
  readonly offset?: number
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
  readonly batchSize?: number
}

/** A record with the selected fields and the loaded relations. */
export type Found<Row, S extends keyof Row, W, L> = [keyof W & keyof L] extends [never]
  ? SelectedFields<Row, S>
  : Flat<SelectedFields<Row, S> & CertainRelations<L, W> & PossibleRelations<L, W>>

/**
 * The records of a table with related ones, as a query with this `with` finds them.
 *
 * ```ts
 * function print(task: Loaded<typeof Task, { project: true; tags: { select: ['name'] } }>) {}
 * ```
 */
export type Loaded<T extends AnyTable, W extends With<RelationsOf<T>>> = Found<
  RecordOf<T>,
  keyof RecordOf<T>,
  W,
  RelationsOf<T>
>

/** Without a selection, `S` has every name, and the type is the declared one. */
type SelectedFields<R, S extends keyof R> = [keyof R] extends [S] ? R : Flat<Pick<R, S>>

type CertainRelations<L, W> = {
  [N in keyof W & keyof L as IsCertain<L[N], W[N]> extends true ? N : never]: FoundAt<L[N], W[N]>
}

type PossibleRelations<L, W> = {
  [N in keyof W & keyof L as IsCertain<L[N], W[N]> extends true ? never : N]?: FoundAt<L[N], W[N]>
}

/**
 * A to-many relation is always set, as an empty list if there are no records. A to-one relation is set if its foreign key
 * is required and the query has no condition.
 */
type IsCertain<V, Q> = undefined extends Q
  ? false
  : NonNullable<V> extends readonly unknown[]
    ? true
    : undefined extends V
      ? false
      : Q extends { readonly where: unknown }
        ? false
        : true

type FoundAt<V, Q> =
  NonNullable<V> extends readonly (infer T)[] ? FoundRelated<T, NonNullable<Q>>[] : FoundRelated<V, NonNullable<Q>>

/** The related record, as `true` or a query loads it. */
type FoundRelated<T, Q> =
  NonNullable<T> extends infer Target extends AnyTable
    ? Found<
        RecordOf<Target>,
        Q extends { readonly select: readonly (infer S)[] } ? S & keyof RecordOf<Target> : keyof RecordOf<Target>,
        Q extends { readonly with: infer W } ? W : NoRelations,
        RelationsOf<Target>
      >
    : never

/** `& {}` makes editors show the fields instead of the name of this type. */
type Flat<T> = { [K in keyof T]: T[K] } & {}

/** The fields that the table layer sets, timestamps and the version: in every record `R`, but not in a replacement `P`. */
export type FilledIn<R, P> = {
  [N in keyof R & keyof P]: Record<never, never> extends Pick<P, N>
    ? Record<never, never> extends Pick<R, N>
      ? never
      : N
    : never
}[keyof R & keyof P]

/** A key: an object with all key fields, or the bare value of a single one. */
export type KeyInput<K> = K | (IsUnion<keyof K> extends false ? K[keyof K] : never)

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
