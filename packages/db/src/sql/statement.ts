/** A compiled statement. */
export interface Statement {
  readonly text: string
  /** The number of parameters. */
  readonly size: number
  /** Maps the operation's values to parameters; undefined if they are the same. */
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
  /** The end of the text that depends on the values: an inlined limit and offset. */
  readonly tail?: (params: readonly unknown[]) => string
}

type Binder = (params: readonly unknown[], out: unknown[]) => void

/** Collects the parameters of a statement while its text is built, from left to right. */
export class ParameterList {
  readonly #placeholder: (position: number) => string
  readonly #binders: Binder[] = []
  #count = 0
  #isPlain = true

  constructor(placeholder: (position: number) => string) {
    this.#placeholder = placeholder
  }

  /** Adds one value and returns its placeholder. */
  value(slot: number, convert?: (value: unknown) => unknown): string {
    if (slot !== this.#binders.length || convert) this.#isPlain = false
    this.#binders.push((params, out) => out.push(convert ? convert(params[slot]) : params[slot]))
    return this.#next()
  }

  /** Adds `count` parameters made from one value and returns their placeholders. */
  spread(slot: number, count: number, convert: (value: unknown) => readonly unknown[]): string[] {
    this.#isPlain = false
    this.#binders.push((params, out) => {
      for (const value of convert(params[slot])) out.push(value)
    })
    return Array.from({ length: count }, () => this.#next())
  }

  finish(text: string): Statement {
    const size = this.#count
    if (this.#isPlain) return { text, size, bind: undefined }
    const binders = this.#binders
    return {
      text,
      size,
      bind: (params) => {
        const out: unknown[] = []
        for (const binder of binders) binder(params, out)
        return out
      },
    }
  }

  #next(): string {
    this.#count += 1
    return this.#placeholder(this.#count)
  }
}

/** Pads a list with its last value, so that lists of several lengths share a statement. `IN` ignores the repetition. */
export function padList(list: readonly unknown[], size: number): unknown[] {
  return [...list, ...Array.from({ length: size - list.length }, () => list.at(-1))]
}
