/** A bounded cache by shape of call. Evicts the least recently used entry. */
export class ShapeCache<T> {
  readonly #made = new Map<string, T>()
  readonly #max: number

  constructor(max = 256) {
    this.#max = max
  }

  get(shape: string, make: () => T): T {
    const known = this.#made.get(shape)
    if (known !== undefined) {
      // A map keeps the order of insertion. Moving an entry to the end is needed only when the map gets full.
      if (this.#made.size > this.#max / 2) {
        this.#made.delete(shape)
        this.#made.set(shape, known)
      }
      return known
    }
    const made = make()
    if (this.#made.size >= this.#max) this.#made.delete(this.#made.keys().next().value!)
    this.#made.set(shape, made)
    return made
  }
}
