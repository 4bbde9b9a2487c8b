/** Keeps what was made for a shape of call, up to a bound; the one that was used least recently goes first. */
export class ShapeCache<T> {
  readonly #made = new Map<string, T>()
  readonly #most: number

  constructor(most = 256) {
    this.#most = most
  }

  get(shape: string, make: () => T): T {
    const known = this.#made.get(shape)
    if (known !== undefined) {
      // A map keeps the order of insertion; moving an entry to its end only matters once the map is getting full.
      if (this.#made.size > this.#most / 2) {
        this.#made.delete(shape)
        this.#made.set(shape, known)
      }
      return known
    }
    const made = make()
    if (this.#made.size >= this.#most) this.#made.delete(this.#made.keys().next().value!)
    this.#made.set(shape, made)
    return made
  }
}
