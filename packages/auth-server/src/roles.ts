import { AuthServerError } from './errors.ts'

/** Ample for one person. */
const MAX_ROLES = 100

export function isRole(role: unknown): role is string {
  return typeof role === 'string' && /^[\x21-\x7e]{1,100}$/.test(role)
}

/** Checks roles and removes duplicates. */
export function readRoles(roles: readonly string[]): string[] {
  if (!Array.isArray(roles) || roles.length > MAX_ROLES || !roles.every(isRole))
    throw new AuthServerError(
      `roles must be a list of at most ${MAX_ROLES} names of 1 to 100 printable ASCII characters without spaces`,
      'ROLES_INVALID',
    )
  return [...new Set(roles)]
}
