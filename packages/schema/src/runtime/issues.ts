/** Where a value stands inside the one that is checked. */
export type Path = readonly (string | number)[]

/** One thing that is wrong with a value. */
export interface Issue {
  readonly path: Path
  /** The rule that was broken, in the word of JSON Schema: `type`, `required`, `additionalProperties`, `minimum`, … */
  readonly code: string
  readonly message: string
}

/** How many issues a validator collects: what it costs must not grow with the number of mistakes. */
export const MAX_ISSUES = 100

/** Adds the problem of a value that is of another type. */
export function wrong(issues: Issue[], path: Path, expected: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path, code: 'type', message: `expected ${expected}` })
}

/** Adds the problem of a value that breaks a rule of its field. */
export function broken(issues: Issue[], path: Path, code: string, message: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path, code, message })
}

/** Adds the problem of a field that is not there. */
export function missing(issues: Issue[], path: Path, name: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path: [...path, name], code: 'required', message: 'is required' })
}

/** Adds the problem of a field that should not be there. */
export function unknownField(issues: Issue[], path: Path, name: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path: [...path, name], code: 'additionalProperties', message: 'is not a known field' })
}
