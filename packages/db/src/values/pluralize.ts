/** `1 row`, `2 rows`, `1,000 rows`. */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Rows and their verb: `1 row has`, `2 rows have`. */
export function pluralizeRows(count: number, singular: string, plural: string): string {
  return `${pluralize(count, 'row')} ${count === 1 ? singular : plural}`
}
