import type { Random, RandomColumn, RandomTable } from './random-model.ts'

export type RandomRow = Readonly<Record<string, unknown>>

/** Rows for both sides of a change, by table: values fit before and after, and the latter is what they become. */
export function makeRows(
  before: readonly RandomTable[],
  after: readonly RandomTable[],
  random: Random,
): { before: Map<number, RandomRow[]>; after: Map<number, RandomRow[]> } {
  const counts = new Map(before.map((it) => [it.id, random(5)]))
  const rows = { before: new Map<number, RandomRow[]>(), after: new Map<number, RandomRow[]>() }
  for (const table of before) {
    const next = after.find((it) => it.id === table.id)
    const here: RandomRow[] = []
    const there: RandomRow[] = []
    for (let id = 1; id <= counts.get(table.id)!; id++) {
      const [one, other]: [Record<string, unknown>, Record<string, unknown>] = [{ id }, { id }]
      for (const column of table.columns) {
        const target = next?.columns.find((it) => it.id === column.id)
        const value = makeValue(column, target, { id, counts, random })
        const isWord = column.storage === 'text' && target?.storage === 'boolean'
        one[column.name] = isWord && value !== null ? String(Boolean(value)) : write(value, column)
        if (target)
          other[target.name] =
            value === null ? (target.nullable ? null : write(target.preset, target)) : convert(value, column, target)
      }
      for (const column of next?.columns ?? []) {
        if (!table.columns.some((it) => it.id === column.id)) other[column.name] = write(column.preset ?? null, column)
      }
      here.push(one)
      there.push(other)
    }
    rows.before.set(table.id, here)
    if (next) rows.after.set(table.id, there)
  }
  return rows
}

/** The values of a row, whatever the storage of its columns. */
type Value = string | number | boolean | readonly number[] | null

interface ValueContext {
  readonly id: number
  readonly counts: ReadonlyMap<number, number>
  readonly random: Random
}

/** A number, a distinct text, a list, or nothing: whatever fits both columns. */
function makeValue(
  column: RandomColumn,
  target: RandomColumn | undefined,
  { id, counts, random }: ValueContext,
): Value {
  if (column.isDistinct) return `key ${id}`
  const mayBeNull = column.nullable && (!target || target.nullable || target.preset !== undefined)
  if (mayBeNull && random(3) === 0) return null
  const linked = [column.target, target?.target].filter((it) => it !== undefined)
  if (linked.length > 0) {
    const most = Math.min(...linked.map((it) => counts.get(it) ?? 0))
    return most === 0 ? null : 1 + random(most)
  }
  if (column.storage === 'json') return [random(5)]
  const isFlag = [column.storage, target?.storage].includes('boolean')
  return isFlag ? random(2) : random(9) - 4
}

/** The value as a column of this kind holds it. */
function write(value: Value | undefined, { storage }: RandomColumn): unknown {
  if (value === null || value === undefined) return null
  if (storage === 'text') return String(value)
  if (storage === 'boolean') return Boolean(value)
  return storage === 'json' ? JSON.stringify(value) : storage === 'decimal' ? String(value) : Number(value)
}

/** The value of one column, converted to the type of another. */
function convert(value: Value, from: RandomColumn, to: RandomColumn): unknown {
  if (from.storage === to.storage || to.storage !== 'text') return write(value, to)
  if (from.storage === 'boolean') return String(Boolean(value))
  return from.storage === 'decimal' && from.precision ? Number(value).toFixed(from.precision.scale) : String(value)
}
