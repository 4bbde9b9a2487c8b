import { RouteError } from '../errors.ts'
import type { Guard } from '../route.ts'
import { expecting, type OptionCheck } from '../shared/option-checks.ts'
import type { TableOperation } from './describe-operations.ts'

/** The guards of a table's operations. An operation that is on needs one here, or the `default`. */
export interface OperationGuards {
  /** For `getOne` and `findMany`, and for reading the table through a relation of another. */
  readonly read?: Guard
  readonly insert?: Guard
  /** For `update` and `replace`. */
  readonly update?: Guard
  readonly delete?: Guard
  /** For those that are not named. */
  readonly default?: Guard
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
  `a function, or an object of functions under ${names.join(', ')}`,
  (value) => typeof value === 'function' || isOperationGuards(value),
)

function isOperationGuards(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false
  return Object.entries(value).every(([name, guard]) => names.includes(name) && typeof guard === 'function')
}

/** The guards of each operation that is on; one that has none is a `RouteError`, since it would be open to everybody. */
export function readGuards(
  guard: Guard | OperationGuards | undefined,
  operations: readonly TableOperation[],
  place: string,
): ReadonlyMap<TableOperation, readonly Guard[]> {
  if (guard === undefined) return new Map()
  if (typeof guard === 'function') return new Map(operations.map((it) => [it, [guard]]))
  return new Map(
    operations.map((operation) => {
      const found = guard[groups[operation]] ?? guard.default
      if (found) return [operation, [found]]
      throw new RouteError(
        'OPTIONS_INVALID',
        `${place}: \`guard\` says nothing about ${operation}: name \`${groups[operation]}\` or \`default\`, or leave the operation out`,
      )
    }),
  )
}
