import { UsageError } from '../command.ts'

/** Checks a name by npm's rules for new packages. An invalid name would make `npm install` fail. */
export function checkPackageName(name: string, isFolder: boolean): string {
  const problem = findProblem(name)
  if (problem === undefined) return name
  const what = isFolder
    ? `the folder name "${name}" is not a valid package name`
    : `"${name}" is not a valid package name`
  throw new UsageError(`${what}: ${problem}${isFolder ? '; choose one with --name' : ''}`)
}

function findProblem(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name.length > 214) return 'it is longer than 214 characters'
  if (name !== name.toLowerCase()) return 'it has capital letters'
  if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name)) {
    return 'it may contain lower-case letters, digits, ".", "_", "~" and "-", must not start with "." or "_", and may have a scope such as @acme/'
  }
  if (['node_modules', 'favicon.ico'].includes(name)) return 'it is reserved by npm'
  return undefined
}
