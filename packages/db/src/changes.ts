import type { Mode } from '@portico/schema/runtime'
import { invalid, validationError } from './errors.ts'
import type { Assignment } from './operation.ts'
import { encodeColumn, valueAt } from './row-mapping.ts'
import type { PlanColumn, TablePlan } from './table-plan.ts'

type Issues = Parameters<TablePlan['declaration']['check']>[2]

/** Checks input against the declaration, before anything is sent. */
export function validateInput(plan: TablePlan, input: unknown, mode: Mode): asserts input is Record<string, unknown> {
  const issues: Issues = []
  plan.declaration.check(input, [], issues, mode)
  if (issues.length > 0) throw validationError(`table \`${plan.name}\`: the input is not valid`, issues)
}

/** Checks changes that come without a key, and must not change one. */
export function validateChanges(plan: TablePlan, input: unknown): asserts input is Record<string, unknown> {
  const subject = `table \`${plan.name}\`: the input is not valid`
  if (typeof input !== 'object' || input === null) throw invalid(subject, '', 'expected an object')
  const changed = plan.key.find((it) => Object.hasOwn(input, it.path))
  if (changed) throw invalid(subject, changed.path, 'is part of the key, which stays as it is', 'key')
  const issues: Issues = []
  plan.declaration.check(input, [], issues, 'update')
  const others = issues.filter((it) => !(it.code === 'required' && plan.key.some((key) => key.path === it.path[0])))
  if (others.length > 0) throw validationError(subject, others)
}

/**
 * Pushes the values of the columns that an update changes, and returns a text that is the same for every update of the
 * same columns. What the table layer fills in is its own: given time stamps are passed over, and the version says only
 * what is expected.
 */
export function pushChanges(plan: TablePlan, input: Record<string, unknown>, params: unknown[]): string {
  let shape = ''
  for (const name in input) {
    const value = input[name]
    const field = value === undefined ? undefined : plan.fields.get(name)
    if (!field || field.writable.length === 0) continue
    shape += field.sign
    for (const column of field.writable) {
      params.push(encodeColumn(column, column.path === name ? value : valueAt(input, column.path)))
    }
  }
  return shape
}

/** The assignments for what `pushChanges` has pushed. */
export function assignChanges(plan: TablePlan, input: Record<string, unknown>): Assignment[] {
  return Object.keys(input)
    .filter((name) => input[name] !== undefined)
    .flatMap((name) => plan.fields.get(name)?.writable ?? [])
    .map((column, slot) => ({ kind: 'value', column, slot }))
}

/** Pushes what is written with every write: the time of it. */
export function pushStamps(plan: TablePlan, params: unknown[], now: number): void {
  for (const column of plan.updated) params.push(encodeColumn(column, now))
}

/** The assignments for what `pushStamps` has pushed behind the others, and for the version. */
export function assignStamps(plan: TablePlan, set: readonly Assignment[]): Assignment[] {
  const stamps = plan.updated.map((column, index) => ({ kind: 'value', column, slot: set.length + index }) as const)
  return [...set, ...stamps, ...(plan.version ? [{ kind: 'raise', column: plan.version } as const] : [])]
}

/** The version that the caller has seen, encoded; `undefined` when it does not matter. */
export function readVersion({ version }: TablePlan, input: Record<string, unknown>): unknown {
  const seen = version && input[version.path]
  return seen === undefined ? undefined : encodeColumn(version as PlanColumn, seen)
}
