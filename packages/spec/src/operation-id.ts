import { SpecError } from './errors.ts'
import type { DescribedRoute } from './routes.ts'

/** Assigns operation ids and refuses duplicates. */
export class OperationIds {
  readonly #assigned = new Map<string, DescribedRoute>()

  /** The id of an operation. A duplicate is a `SpecError`. */
  assign(described: DescribedRoute): string {
    const id = described.handler.specOperationId ?? described.handler.id ?? generateOperationId(described)
    const other = this.#assigned.get(id)
    if (other) {
      throw new SpecError(
        'OPERATION_ID_DUPLICATE',
        `${other.place} and ${described.place} have the same operation id, \`${id}\``,
      )
    }
    this.#assigned.set(id, described)
    return id
  }
}

/** `GET /users/{id}` becomes `GET__users___id__`. */
function generateOperationId({ route, path }: DescribedRoute): string {
  const words = path.replaceAll(/[{}]/g, '__').replaceAll(/[^A-Za-z0-9]/g, '_')
  return `${route.method}_${words}`
}
