/** A statement with its text, and how the values of an operation become its parameters. */
export interface Statement {
  readonly text: string
  /** How many parameters it has. */
  readonly size: number
  /** Left out when the parameters are the operation's values, one by one. */
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
  /** What the text ends with, where it holds whole numbers of the operation's values. */
  readonly tail?: (params: readonly unknown[]) => string
}

type Binder = (params: readonly unknown[], out: unknown[]) => void

/** Numbers the parameters of a statement while its text is put together, from left to right. */
export class ParameterList {
  readonly #placeholder: (position: number) => string
  readonly #binders: Binder[] = []
  #count = 0
  #isPlain = true

  constructor(placeholder: (position: number) => string) {
    this.#placeholder = placeholder
  }

  /** The place of one value; `convert` gives it the form that the statement needs. */
  value(slot: number, convert?: (value: unknown) => unknown): string {
    if (slot !== this.#binders.length || convert) this.#isPlain = false
    this.#binders.push((params, out) => out.push(convert ? convert(params[slot]) : params[slot]))
    return this.#next()
  }

  /** The places of `count` parameters that are made of the value of one slot. */
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

/** Fills a list up with its last value: `IN` finds the same with a value that is repeated. */
export function padList(list: readonly unknown[], size: number): unknown[] {
  return [...list, ...Array.from({ length: size - list.length }, () => list.at(-1))]
}
