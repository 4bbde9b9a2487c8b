import { toSafeNumber } from '../values/codec.ts'

/** Rows of a statement written by hand: drivers give the widest whole numbers, or those beyond 2^53 − 1, as text. */
export function readWide(rows: readonly unknown[], wide: readonly { readonly name: string }[]): object[] {
  for (const row of rows as Record<string, unknown>[]) {
    for (const { name } of wide) {
      const value = row[name]
      if (typeof value === 'string') row[name] = toSafeNumber(value, name)
    }
  }
  return rows as object[]
}
