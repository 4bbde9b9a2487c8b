import type { Mode } from '@portico/schema/runtime'
import type { MaybePromise } from '../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { type DbError, invalid, validationError } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain, ownValue } from '../values/plain-object.ts'
import { encodeColumn, valueAt } from '../values/row-mapping.ts'

type Issues = Parameters<TablePlan['declaration']['check']>[2]

/** Checks input against the declaration. */
export function validateInput(
  plan: TablePlan,
  input: unknown,
  mode: Mode,
  path: readonly number[] = [],
): asserts input is Record<string, unknown> {
  checkInput(plan, input, mode, path)
  if (plan.ceilings.length > 0) checkCeilings(plan, input, mode, path)
}

function checkInput(
  plan: TablePlan,
  input: unknown,
  mode: Mode,
  path: readonly number[],
): asserts input is Record<string, unknown> {
  const issues: Issues = []
  if (hasNoFields(input)) issues.push({ path, code: 'type', message: explainNotPlain(input) })
  else plan.declaration.check(input, path, issues, mode)
  if (issues.length > 0) throw refuse(plan, issues, path.length)
}

/** Checks the input of an upsert. A generated key may be higher than one that a caller may insert. */
export function validateUpsert(
  plan: TablePlan,
  input: unknown,
  isThere: (input: Record<string, unknown>) => Promise<boolean>,
): MaybePromise<Record<string, unknown>> {
  checkInput(plan, input, 'insert', [])
  const own = plan.ceilings.find((it) => it.column === plan.autoIncrement && it.column.model.key)
  if (own && (valueAt(input, own.column.path) as number) > own.max) {
    return isThere(input).then((found) => {
      checkCeilings(plan, input, found ? 'update' : 'insert', [])
      return input
    })
  }
  checkCeilings(plan, input, 'insert', [])
  return input
}

/** Refuses numbers so high that the numbers generated after them would soon reach their end. */
function checkCeilings(plan: TablePlan, input: object, mode: Mode, path: readonly number[]): void {
  const issues: Issues = []
  for (const { column, max, insertOnly } of plan.ceilings) {
    const value = insertOnly && mode !== 'insert' ? undefined : valueAt(input, column.path)
    if (typeof value !== 'number' || value <= max) continue
    const message = `must be at most ${max}: higher numbers are reserved for generated values`
    issues.push({ path: [...path, ...column.path.split('.')], code: 'maximum', message })
  }
  if (issues.length > 0) throw refuse(plan, issues, path.length)
}

/** True for a promise, a map and other objects whose content is not in fields. */
function hasNoFields(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  return Object.keys(input).length === 0 && !isPlainObject(input)
}

/** Explains loaded relations in the input, which a write does not accept, differently from misspelt names. */
function refuse(plan: TablePlan, issues: Issues, depth = 0): DbError {
  const explained = issues.map((it) => {
    const isRelation = it.code === 'additionalProperties' && plan.relations.has(String(it.path[depth]))
    return isRelation ? { ...it, message: 'is a relation: leave it out' } : it
  })
  return validationError(`table \`${plan.name}\`: the input is not valid`, explained)
}

/** Checks the changes of `updateMany`, which must not contain a key or a version. */
export function validateChanges(plan: TablePlan, input: unknown): asserts input is Record<string, unknown> {
  const subject = `table \`${plan.name}\`: the input is not valid`
  if (typeof input !== 'object' || input === null || hasNoFields(input)) {
    throw invalid(subject, '', explainNotPlain(input, 'an object'))
  }
  const changed = plan.key.find((it) => Object.hasOwn(input, it.path))
  if (changed) throw invalid(subject, changed.path, 'is part of the key, which stays as it is', 'key')
  if (plan.version && Object.hasOwn(input, plan.version.path)) {
    throw invalid(
      subject,
      plan.version.path,
      'is the version, of which each record has its own: leave it out',
      'version',
    )
  }
  const issues: Issues = []
  plan.declaration.check(input, [], issues, 'update')
  const others = issues.filter((it) => !(it.code === 'required' && plan.key.some((key) => key.path === it.path[0])))
  if (others.length > 0) throw refuse(plan, others)
  checkCeilings(plan, input, 'update', [])
}

/** The given version, encoded. */
export function readVersion({ version }: TablePlan, input: Record<string, unknown>): unknown {
  const seen = version && ownValue(input, version.path)
  return seen === undefined ? undefined : encodeColumn(version as PlanColumn, seen)
}
