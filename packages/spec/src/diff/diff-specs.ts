import type { OpenApiDocument, Operation, Parameter } from '../document.ts'
import { Changes, type SpecChange } from './change.ts'
import { type DiffedOperation, diffOperations } from './diff-operations.ts'

interface Entry {
  readonly name: string
  readonly operation: DiffedOperation
}

/**
 * What changed from one description to another, those changes first that break callers. Both have to be of OpenAPI 3;
 * the versions may differ.
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
    else found.add(true, 'the operation is gone')
    return found.found
  })
  for (const [key, { name }] of current) {
    if (!old.has(key)) changes.push({ breaking: false, operation: name, message: 'the operation is new' })
  }
  return changes.sort((a, b) => Number(b.breaking) - Number(a.breaking))
}

/** The operations by method and path, whatever the parameters of the path are called. */
function operationsOf({ paths }: OpenApiDocument): Map<string, Entry> {
  const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])
  const entries = Object.entries(paths).flatMap(([path, item]) => {
    // Others than Portico tell parameters of a whole path once.
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
