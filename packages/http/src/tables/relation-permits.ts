import type { AnyTable } from '@portico/schema/runtime'
import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { type Guard, refuses, type ServedTable } from '../route.ts'
import { both } from './operations.ts'
import { readScope } from './scope.ts'
import type { Fields } from './table-view.ts'

/** The controllers whose rules apply to a table. The request has to be admitted by any one, or by all of them. */
export interface TableRules {
  readonly kind: 'any' | 'all'
  readonly of: readonly ServedTable[]
}

/** Decides what one request may read through relations. Each guard runs once. */
export class RelationPermits {
  readonly #request: HttpRequest
  /** The refusal of each guard that has run; `undefined` if it let the request pass. */
  readonly #results: Map<Guard, HttpError | undefined>

  /** `passed` are the guards that the request has already passed. */
  constructor(request: HttpRequest, passed: readonly Guard[]) {
    this.#request = request
    this.#results = new Map(passed.map((it) => [it, undefined]))
  }

  /**
   * The condition for reading a table through a relation; `undefined` allows every record. If several controllers admit
   * the request, their records add up, since all of them could be read from their routes. A refusal names the relation.
   */
  async read(relation: string, table: AnyTable, { kind, of }: TableRules): Promise<Fields | undefined> {
    const admitted: (Fields | undefined)[] = []
    let refusal: HttpError | undefined
    for (const served of of) {
      const refused = await this.#refusalOf(served)
      if (!refused) admitted.push(served.scope && (await readScope(served.scope, this.#request, table.name)))
      else if (kind === 'all') throw nameRelation(refused, relation)
      else refusal ??= refused
    }
    if (admitted.length === 0 && refusal) throw nameRelation(refusal, relation)
    return kind === 'all' ? allOf(admitted) : anyOf(admitted)
  }

  async #refusalOf({ guards }: ServedTable): Promise<HttpError | undefined> {
    for (const guard of guards) {
      if (!this.#results.has(guard)) this.#results.set(guard, await runGuard(guard, this.#request))
      const refused = this.#results.get(guard)
      if (refused) return refused
    }
    return undefined
  }
}

async function runGuard(guard: Guard, request: HttpRequest): Promise<HttpError | undefined> {
  try {
    return refuses(await guard(request)) ? new HttpError(403, 'FORBIDDEN', 'this is not allowed') : undefined
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

function nameRelation(refusal: HttpError, relation: string): HttpError {
  const { status, code, message, headers, issues } = refusal
  return new HttpError(status, code, `relation \`${relation}\`: ${message}`, { headers, issues, cause: refusal })
}

function allOf(scopes: readonly (Fields | undefined)[]): Fields | undefined {
  return scopes.reduce((all, scope) => (scope ? both(scope, all) : all), undefined)
}

function anyOf(scopes: readonly (Fields | undefined)[]): Fields | undefined {
  const conditions = scopes.filter((it) => it !== undefined)
  if (conditions.length < scopes.length || conditions.length === 0) return undefined
  return conditions.length === 1 ? conditions[0] : { $or: conditions }
}
