import { UsageError } from '../command.ts'

/** Checks a name as npm does for new packages: what it refuses would fail at `npm install`. */
export function checkPackageName(name: string, isFolder: boolean): string {
  const problem = findProblem(name)
  if (problem === undefined) return name
  const what = isFolder ? `the folder's name "${name}" is no name for a package` : `"${name}" is no name for a package`
  throw new UsageError(`${what}: ${problem}${isFolder ? '; give one with --name' : ''}`)
}

function findProblem(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name.length > 214) return 'it is longer than 214 characters'
  if (name !== name.toLowerCase()) return 'it has capital letters'
  if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name)) {
    return 'it may hold letters, digits, ".", "_", "~" and "-", start with none of "." and "_", and have a scope such as @acme/'
  }
  if (['node_modules', 'favicon.ico'].includes(name)) return 'npm keeps it for itself'
  return undefined
}
