/** The path of a value inside the validated one. */
export type Path = readonly (string | number)[]

/** One validation problem. */
export interface Issue {
  readonly path: Path
  /** The violated rule as a JSON Schema keyword: `type`, `required`, `additionalProperties`, `minimum`, … */
  readonly code: string
  readonly message: string
}

/** The maximum number of issues a validator collects, so that its cost stays bounded. */
export const MAX_ISSUES = 100

/** Reports a value of the wrong type. */
export function wrong(issues: Issue[], path: Path, expected: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path, code: 'type', message: `expected ${expected}` })
}

/** Reports a value that violates a rule of its field. */
export function broken(issues: Issue[], path: Path, code: string, message: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path, code, message })
}

/** Reports a missing field. */
export function missing(issues: Issue[], path: Path, name: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path: [...path, name], code: 'required', message: 'is required' })
}

/** Reports an unknown field. */
export function unknownField(issues: Issue[], path: Path, name: string): void {
  if (issues.length >= MAX_ISSUES) return
  issues.push({ path: [...path, name], code: 'additionalProperties', message: 'is not a known field' })
}
