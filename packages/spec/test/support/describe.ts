import type { ControllerLike } from '@portico/http'
import { createSpec, type OpenApiDocument, type Operation, type SpecOptions } from '@portico/spec'

/** The operations of a document, by `METHOD /path`. */
export function operationsOf({ paths }: OpenApiDocument): Record<string, Operation> {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  )
  return Object.fromEntries(entries) as Record<string, Operation>
}

/** The only operation of a controller. */
export function operationOf(controller: ControllerLike, options?: SpecOptions): Operation {
  const operations = Object.values(operationsOf(createSpec([controller], options)))
  if (operations.length !== 1) throw new Error(`one operation was expected, not ${operations.length}`)
  return operations[0]!
}
