/** The same value once more until the list is full: equal to one of them means the same. */
export function padList(list: readonly unknown[], size: number): unknown[] {
  return [...list, ...Array.from({ length: size - list.length }, () => list.at(-1))]
}
