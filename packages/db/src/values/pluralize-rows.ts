import { count } from '../shared/count.ts'

/** Rows and their verb: `1 row has`, `2 rows have`. */
export function pluralizeRows(rows: number, singular: string, plural: string): string {
  return `${count(rows, 'row')} ${rows === 1 ? singular : plural}`
}
