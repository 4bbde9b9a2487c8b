import type { OpenApiDocument, Operation, Parameter } from '../document.ts'
import { Changes, type SpecChange } from './change.ts'
import { type DiffedOperation, diffOperations } from './diff-operations.ts'

interface Entry {
  readonly name: string
  readonly operation: DiffedOperation
}

/**
 * Lists the changes from one description to another, breaking changes first. Both have to be OpenAPI 3.x; the versions
 * may differ.
 *
 * ```ts
 * const breaking = diffSpecs(published, createSpec(app.routes)).filter((it) => it.breaking)
 * ```
 */
export function diffSpecs(before: OpenApiDocument, after: OpenApiDocument): SpecChange[] {
  const old = operationsOf(before)
  const current = operationsOf(after)
  const changes = [...old].flatMap(([key, { name, operation }]) => {
    const found = new Changes(name)
    const next = current.get(key)
    if (next) diffOperations({ before, after, found }, operation, next.operation)
    else found.add(true, 'the operation was removed')
    return found.found
  })
  for (const [key, { name }] of current) {
    if (!old.has(key)) changes.push({ breaking: false, operation: name, message: 'the operation is new' })
  }
  return changes.sort((a, b) => Number(b.breaking) - Number(a.breaking))
}

/** The operations by method and path, regardless of the names of path parameters. */
function operationsOf({ paths }: OpenApiDocument): Map<string, Entry> {
  const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])
  const entries = Object.entries(paths).flatMap(([path, item]) => {
    // Documents of other tools may declare parameters for a whole path.
    const { parameters: shared = [] } = item as { parameters?: readonly Parameter[] }
    return Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]: [string, Operation]): [string, Entry] => {
        const shape = path.replaceAll(/\{[^}]*\}/g, '{}')
        const parameters = [...shared, ...(operation.parameters ?? [])]
        return [
          `${method} ${shape}`,
          { name: `${method.toUpperCase()} ${path}`, operation: { ...operation, parameters, path } },
        ]
      })
  })
  return new Map(entries)
}
