import { SpecError } from './errors.ts'
import type { DescribedRoute } from './routes.ts'

/** The ids of operations, each of which is given out once. */
export class OperationIds {
  readonly #taken = new Map<string, DescribedRoute>()

  /** The id of an operation. One that another has already is a mistake. */
  take(described: DescribedRoute): string {
    const id = described.handler.specOperationId ?? described.handler.id ?? generateOperationId(described)
    const other = this.#taken.get(id)
    if (other) {
      throw new SpecError('OPERATION_ID_DUPLICATE', `${other.place} and ${described.place} have one id, \`${id}\``)
    }
    this.#taken.set(id, described)
    return id
  }
}

/** `GET /users/{id}` becomes `GET__users___id__`. */
function generateOperationId({ route, path }: DescribedRoute): string {
  const words = path.replaceAll(/[{}]/g, '__').replaceAll(/[^A-Za-z0-9]/g, '_')
  return `${route.method}_${words}`
}
