import type { RelationPair } from '@portico/schema/model'
import { both, type Operations } from './operations.ts'
import type { Fields } from './table-view.ts'

/** The table to read linked records from. */
export interface LinkedFrom {
  readonly table: Operations
  readonly scope: Fields | undefined
  /** The maximum number of linked records of one record. */
  readonly max: number
}

/** Linked records, grouped by the record that they belong to. */
export interface Links {
  /** The linked records of one record, in the order of their key. */
  readonly of: (record: Fields) => readonly Fields[]
  readonly all: readonly Fields[]
  /** True if a list was cut. */
  readonly isCut: boolean
}

/** Records per query. Together with `max` it bounds the memory that one query needs. */
const BATCH = 100

/** Reads the records whose fields `there` equal the fields `here` of the given records. */
export async function readLinked(
  from: LinkedFrom,
  on: readonly RelationPair[],
  records: readonly Fields[],
): Promise<Links> {
  const here = on.map((it) => it.here.split('.'))
  const there = on.map((it) => it.there.split('.'))
  const grouped = new Map<string, Fields[]>()
  const tuples = collectTuples(records, here)
  for (let start = 0; start < tuples.length; start += BATCH) {
    for (const found of await readBatch(from, on, tuples.slice(start, start + BATCH))) {
      const key = keyOf(tupleOf(found, there))!
      const known = grouped.get(key)
      if (known) known.push(found)
      else grouped.set(key, [found])
    }
  }
  let isCut = false
  for (const [key, list] of grouped) {
    if (list.length <= from.max) continue
    grouped.set(key, list.slice(0, from.max))
    isCut = true
  }
  return {
    of: (record) => grouped.get(keyOf(tupleOf(record, here)) ?? '') ?? [],
    all: [...grouped.values()].flat(),
    isCut,
  }
}

type Tuple = readonly unknown[]

/** One query for the whole batch. If it hits the limit, one query per record, so that no record uses up another's share. */
async function readBatch(
  { table, scope, max }: LinkedFrom,
  on: readonly RelationPair[],
  tuples: readonly Tuple[],
): Promise<Fields[]> {
  const find = (of: readonly Tuple[], limit: number): Promise<Fields[]> =>
    table.findMany({ where: both(linkedTo(on, of), scope), limit })
  const limit = tuples.length * max + 1
  const found = await find(tuples, limit)
  if (found.length < limit || tuples.length === 1) return found
  const lists: Fields[][] = []
  for (const tuple of tuples) lists.push(await find([tuple], max + 1))
  return lists.flat()
}

function linkedTo(on: readonly RelationPair[], tuples: readonly Tuple[]): Fields {
  const [first] = on
  if (on.length === 1) return { [first!.there]: { $in: tuples.map(([it]) => it) } }
  return { $or: tuples.map((tuple) => Object.fromEntries(on.map((it, index) => [it.there, tuple[index]]))) }
}

/** The distinct tuples without absent values, since those link to nothing. */
function collectTuples(records: readonly Fields[], paths: readonly (readonly string[])[]): Tuple[] {
  const tuples = new Map<string, Tuple>()
  for (const record of records) {
    const tuple = tupleOf(record, paths)
    const key = keyOf(tuple)
    if (key !== undefined) tuples.set(key, tuple)
  }
  return [...tuples.values()]
}

function tupleOf(record: Fields, paths: readonly (readonly string[])[]): Tuple {
  return paths.map((path) => path.reduce<unknown>(ownField, record))
}

/** Own properties only: every object inherits names such as `constructor`. */
function ownField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Fields)[name] : undefined
}

function keyOf(tuple: Tuple): string | undefined {
  return tuple.some((it) => it === undefined || it === null) ? undefined : JSON.stringify(tuple)
}
