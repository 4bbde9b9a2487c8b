import type { Mode } from '@portico/schema/runtime'
import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import type { MaybePromise } from '../contract/storage.ts'
import { type DbError, invalid, validationError } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain, ownValue } from '../values/plain-object.ts'
import { encodeColumn, valueAt } from '../values/row-mapping.ts'

type Issues = Parameters<TablePlan['declaration']['check']>[2]

/** Checks input against the declaration, before anything is sent. */
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

/** Checks what an upsert takes. A key that was given out may be higher than one that a caller may insert. */
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

/** Refuses numbers so high that those which are given out behind them would soon come to their end. */
function checkCeilings(plan: TablePlan, input: object, mode: Mode, path: readonly number[]): void {
  const issues: Issues = []
  for (const { column, max, insertOnly } of plan.ceilings) {
    const value = insertOnly && mode !== 'insert' ? undefined : valueAt(input, column.path)
    if (typeof value !== 'number' || value <= max) continue
    const message = `must be at most ${max}: higher numbers are kept for those that are given out`
    issues.push({ path: [...path, ...column.path.split('.')], code: 'maximum', message })
  }
  if (issues.length > 0) throw refuse(plan, issues, path.length)
}

/** Whether it is a promise, a map or its like: an object that keeps what it has elsewhere than in fields. */
function hasNoFields(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  return Object.keys(input).length === 0 && !isPlainObject(input)
}

/** A record that was read `with` others has relations, which no write takes: these are told apart from misspelt names. */
function refuse(plan: TablePlan, issues: Issues, depth = 0): DbError {
  const told = issues.map((it) => {
    const isRelation = it.code === 'additionalProperties' && plan.relations.has(String(it.path[depth]))
    return isRelation ? { ...it, message: 'is a relation: leave it out' } : it
  })
  return validationError(`table \`${plan.name}\`: the input is not valid`, told)
}

/** Checks changes that come without a key, and must not change one. */
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

/** The version that the caller has seen, encoded; `undefined` when it does not matter. */
export function readVersion({ version }: TablePlan, input: Record<string, unknown>): unknown {
  const seen = version && ownValue(input, version.path)
  return seen === undefined ? undefined : encodeColumn(version as PlanColumn, seen)
}
