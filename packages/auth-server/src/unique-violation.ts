import { DbError } from '@portico/db'

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DbError && error.code === 'UNIQUE_VIOLATION'
}
