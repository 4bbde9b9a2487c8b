/** The types of queries. They follow the generated interfaces: an unknown field or a value of another type does not compile. */

import type { AnyTable, DecimalsOf, NoRelations, RecordOf, RelationsOf } from '@portico/schema/runtime'

type Scalar = string | number | boolean

/** The dotted paths of what a record keeps in columns: `name`, `address.city`. */
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
export type ValueAt<R, P extends string> = P extends keyof R
  ? Exclude<R[P], null | undefined>
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof R
      ? ValueAt<NonNullable<R[K]>, Rest>
      : never
    : never

/** What a field is compared with. Comparisons with an absent value are false; `$ne` and `$nin` are their opposites. */
export interface Operators<V> {
  readonly $eq?: V | null
  readonly $ne?: V | null
  readonly $gt?: V
  readonly $gte?: V
  readonly $lt?: V
  readonly $lte?: V
  readonly $in?: readonly (V | null)[]
  readonly $nin?: readonly (V | null)[]
  /** Whether it is absent. */
  readonly $null?: boolean
}

/** What text is compared with. A decimal is a number, although its type is `string`: it has no patterns. */
export interface TextOperators<V> extends Operators<V> {
  /** Case-sensitive. `%` stands for any text, `_` for one character, `\` before either for itself. */
  readonly $like?: string
  /** Like `$like`, with A–Z and a–z taken as equal. */
  readonly $ilike?: string
}

/** Not once for each member of a union: `$in` lists any of them. */
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
export type Where<R, D = never> = {
  readonly [P in FieldPath<R>]?: Condition<ValueAt<R, P>, P extends D ? true : false>
} & {
  readonly $and?: readonly Where<R, D>[]
  readonly $or?: readonly Where<R, D>[]
  readonly $not?: Where<R, D>
}

/** Which fields order records, the first one most. Objects and arrays have no order. */
export type OrderBy<R> = {
  readonly [P in FieldPath<R> as [ValueAt<R, P>] extends [Scalar] ? P : never]?: 'asc' | 'desc'
}

/** The table that a relation leads to: `typeof Team`, or one of `(typeof Task)[]`. */
type TargetOf<V> = NonNullable<V> extends readonly (infer T)[] ? T : NonNullable<V>

/** The related records to load, by the names of the relations `L`. */
export type With<L> = { readonly [N in keyof L]?: true | RelatedQueryOf<TargetOf<L[N]>> }

type RelatedQueryOf<T> = T extends AnyTable ? RelatedQuery<RecordOf<T>, RelationsOf<T>, DecimalsOf<T>> : never

/** Which of the related records, and what of them. Each level costs one query, however many records there are. */
export interface RelatedQuery<R, L, D> {
  readonly where?: Where<R, D>
  readonly orderBy?: OrderBy<R>
  readonly select?: readonly (keyof R & string)[]
  readonly with?: With<L>
}

/** What to read of the records found. */
export interface ReadOptions<L, S extends string, W extends With<L>> {
  /** The fields to read; all without it. */
  readonly select?: readonly S[]
  // The second part adds nothing to the type: it is what an editor completes from while `W` is being inferred.
  readonly with?: W & With<L>
}

export interface FindOptions<R, L, D, S extends keyof R & string, W extends With<L>> extends ReadOptions<L, S, W> {
  readonly where?: Where<R, D>
  /** Where a limit or offset is given, the key comes last in every order, so that pages fit together. */
  readonly orderBy?: OrderBy<R>
  readonly limit?: number
  readonly offset?: number
}

export interface StreamOptions<R, L, D, S extends keyof R & string, W extends With<L>> extends ReadOptions<L, S, W> {
  readonly where?: Where<R, D>
  /** How many records are read at a time. Default 500. */
  readonly batchSize?: number
}

/** A record as it was asked for: the selected fields, and the related records that were asked for. */
export type Found<R, S extends keyof R, W, L> = [keyof W & keyof L] extends [never]
  ? Selected<R, S>
  : Flat<Selected<R, S> & CertainRelations<L, W> & PossibleRelations<L, W>>

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

/** Without a selection `S` has every name, and the record is the declared one. */
type Selected<R, S extends keyof R> = [keyof R] extends [S] ? R : Flat<Pick<R, S>>

type CertainRelations<L, W> = {
  [N in keyof W & keyof L as IsCertain<L[N], W[N]> extends true ? N : never]: FoundAt<L[N], W[N]>
}

type PossibleRelations<L, W> = {
  [N in keyof W & keyof L as IsCertain<L[N], W[N]> extends true ? never : N]?: FoundAt<L[N], W[N]>
}

/**
 * Lists are there whenever they were asked for, empty ones too. A single record is there when a required foreign key
 * leads to it and no condition leaves it out.
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

/** What `true` or a query of its own finds of a related record. */
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

/** What the table layer fills in by itself: time stamps and the version, there in every record `R` but not asked of a replacement `P`. */
export type FilledIn<R, P> = {
  [N in keyof R & keyof P]: Record<never, never> extends Pick<P, N>
    ? Record<never, never> extends Pick<R, N>
      ? never
      : N
    : never
}[keyof R & keyof P]

/** A key: bare where it has one field, an object with every key field otherwise. */
export type KeyInput<K> = K | (IsUnion<keyof K> extends false ? K[keyof K] : never)

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
