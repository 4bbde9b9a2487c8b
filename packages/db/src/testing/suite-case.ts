import assert from 'node:assert/strict'
import type { Database } from '../database.ts'
import { DbError, type DbErrorCode } from '../errors.ts'
import type { ThingInsert } from './suite.portico.ts'

/** The arguments of a case: an open database with empty tables, and its clock. */
export interface CaseContext {
  readonly db: Database
  readonly clock: { ms: number }
}

/** One behaviour that every adapter must have. */
export interface AdapterCase {
  readonly name: string
  readonly run: (context: CaseContext) => Promise<void>
}

/** A valid `Thing` with these changes. */
export function makeThing(changes: Partial<ThingInsert> = {}): ThingInsert {
  return {
    name: 'thing',
    kind: 'small',
    ratio: 0.5,
    whole: 1,
    flag: true,
    price: '1.10',
    tags: [],
    address: { city: 'Bern' },
    ...changes,
  }
}

/** Expects a `DbError` with this code, and returns it. */
export async function expectCode(code: DbErrorCode, promise: Promise<unknown>): Promise<DbError> {
  const outcome = await promise.then(
    () => new Error(`expected ${code}, but it went well`),
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof DbError, outcome as Error)
  assert.equal(outcome.code, code)
  return outcome
}
