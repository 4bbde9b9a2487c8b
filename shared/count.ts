/** A number with its noun: `1 row`, `1,200 rows`. */
export function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`
}
