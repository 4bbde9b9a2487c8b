/** The types of queries. They follow the generated interfaces: an unknown field or a value of another type does not compile. */

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
  ? NonNullable<R[P]>
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
  /** Case-sensitive. `%` stands for any text, `_` for one character, `\` before either for itself. */
  readonly $like?: V extends string ? string : never
  /** Like `$like`, with A–Z and a–z taken as equal. */
  readonly $ilike?: V extends string ? string : never
  /** Whether it is absent. */
  readonly $null?: boolean
}

/** Not once for each member of a union: `$in` lists any of them. */
type Condition<V> = [V] extends [Scalar] ? V | null | Operators<V> : null | Pick<Operators<V>, '$null'>

/**
 * A condition: every entry has to hold.
 *
 * ```ts
 * { role: 'admin', age: { $gte: 18 }, $or: [{ 'address.city': 'Bern' }, { address: null }] }
 * ```
 */
export type Where<R> = { readonly [P in FieldPath<R>]?: Condition<ValueAt<R, P>> } & {
  readonly $and?: readonly Where<R>[]
  readonly $or?: readonly Where<R>[]
  readonly $not?: Where<R>
}

/** Which fields order records, the first one most. Objects and arrays have no order. */
export type OrderBy<R> = {
  readonly [P in FieldPath<R> as [ValueAt<R, P>] extends [Scalar] ? P : never]?: 'asc' | 'desc'
}

type ElementOf<V> = NonNullable<V> extends readonly (infer E)[] ? E : NonNullable<V>

/** Names of fields that may lead to other records. */
type RelationName<R, Own> = Exclude<keyof R & string, keyof Own>

/** Which related records to read along. */
export type With<R, Own = Record<never, never>> = {
  readonly [N in RelationName<R, Own> as ElementOf<R[N]> extends object ? N : never]?:
    | true
    | RelatedQuery<ElementOf<R[N]>>
}

/** Which of the related records, and what of them. Each level costs one query, however many records there are. */
export interface RelatedQuery<R> {
  readonly where?: Where<R>
  readonly orderBy?: OrderBy<R>
  readonly select?: readonly (keyof R & string)[]
  readonly with?: With<R>
}

/** What to read of the records found. */
export interface ReadOptions<R, Own, S extends keyof Own & keyof R & string, W extends With<R, Own>> {
  /** The fields to read; all without it. */
  readonly select?: readonly S[]
  readonly with?: W
}

export interface FindOptions<R, Own, S extends keyof Own & keyof R & string, W extends With<R, Own>>
  extends ReadOptions<R, Own, S, W> {
  readonly where?: Where<Own>
  /** Where a limit or offset is given, the key comes last in every order, so that pages fit together. */
  readonly orderBy?: OrderBy<Own>
  readonly limit?: number
  readonly offset?: number
}

export interface StreamOptions<R, Own, S extends keyof Own & keyof R & string, W extends With<R, Own>>
  extends ReadOptions<R, Own, S, W> {
  readonly where?: Where<Own>
  /** How many records are read at a time. Default 500. */
  readonly batchSize?: number
}

/** A record as it was asked for: the selected fields, and the related records that were asked for. */
export type Found<R, S extends keyof R, W> = [keyof W & keyof R] extends [never]
  ? Selected<R, S>
  : Flat<Omit<Selected<R, S>, keyof W> & FoundLists<R, W> & FoundSingles<R, W>>

type Selected<R, S extends keyof R> = [S] extends [never] ? R : Pick<R, S>

/** Lists of related records are there whenever they were asked for, empty ones too. */
type FoundLists<R, W> = { [N in ListName<R, W>]: FoundRelated<ElementOf<R[N]>, W[N & keyof W]>[] }

/** A single related record is there when it is. */
type FoundSingles<R, W> = {
  [N in keyof Pick<R, Exclude<keyof W & keyof R, ListName<R, W>>>]: FoundRelated<NonNullable<R[N]>, W[N & keyof W]>
}

type ListName<R, W> = {
  [N in keyof W & keyof R]: NonNullable<R[N]> extends readonly unknown[] ? N : never
}[keyof W & keyof R]

/** What `true` or a query of its own finds of a related record. */
type FoundRelated<R, Q> = Found<
  R,
  Q extends { readonly select: readonly (infer S)[] } ? S & keyof R : never,
  Q extends { readonly with: infer W } ? W : Record<never, never>
>

type Flat<T> = { [K in keyof T]: T[K] }

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
