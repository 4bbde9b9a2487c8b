import { RouteError } from '../errors.ts'
import { isGuardOrList, toGuardList } from '../option-aliases.ts'
import type { Guard, Guards } from '../route.ts'
import { expecting, type OptionCheck } from '../shared/option-checks.ts'
import type { TableOperation } from './describe-operations.ts'

/**
 * Guards by kind of operation, each one guard or a list. Every operation of the table needs an entry here or the
 * `default`.
 */
export interface OperationGuards {
  /** For `getOne` and `findMany`, and for reading the table through a relation of another table. */
  readonly read?: Guards
  readonly insert?: Guards
  /** For `update` and `replace`. */
  readonly update?: Guards
  readonly delete?: Guards
  /** For the operations without an entry. */
  readonly default?: Guards
}

const groups: Readonly<Record<TableOperation, Exclude<keyof OperationGuards, 'default'>>> = {
  getOne: 'read',
  findMany: 'read',
  insert: 'insert',
  replace: 'update',
  update: 'update',
  delete: 'delete',
}

const names: readonly string[] = [...new Set(Object.values(groups)), 'default']

export const guardOrGuards: OptionCheck = expecting(
  `a function, a list of functions, or an object with ${names.join(', ')}`,
  (value) => hasGuard(value) || isOperationGuards(value),
)

/** An empty list would leave the table open. */
function hasGuard(value: unknown): value is Guards {
  return isGuardOrList(value) && toGuardList(value).length > 0
}

function isOperationGuards(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false
  return Object.entries(value).every(([name, guards]) => names.includes(name) && hasGuard(guards))
}

/** The guards by operation. An operation without one is a `RouteError`, since it would be open to everybody. */
export function readGuards(
  guards: Guards | OperationGuards | undefined,
  operations: readonly TableOperation[],
  place: string,
): ReadonlyMap<TableOperation, readonly Guard[]> {
  if (guards === undefined) return new Map()
  if (isGuardOrList(guards)) return new Map(operations.map((it) => [it, toGuardList(guards)]))
  return new Map(
    operations.map((operation) => {
      const found = guards[groups[operation]] ?? guards.default
      if (found) return [operation, toGuardList(found)]
      throw new RouteError(
        'OPTIONS_INVALID',
        `${place}: \`guard\` has no entry for ${operation}: add \`${groups[operation]}\` or \`default\`, or remove the operation`,
      )
    }),
  )
}
