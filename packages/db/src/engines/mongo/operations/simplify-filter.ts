/** Reduces the nesting of filters: MongoDB allows 100 levels, including those of the command. */

import type { Filter } from '../../../contract/operation.ts'
import { invalid } from '../../../errors.ts'

/** Levels for a filter; the command takes the others. */
const MAX_LEVELS = 90

/** Removes double negations, and lists inside lists of the same kind. */
export function simplifyFilter(filter: Filter): Filter {
  const simple = simplify(filter)
  if (countLevels(simple) > MAX_LEVELS) {
    const reason = `is nested deeper than the ${MAX_LEVELS} levels that MongoDB allows, where each \`$and\`, \`$or\` and \`$not\` counts as two`
    throw invalid('the filter is not valid', '', reason)
  }
  return simple
}

function simplify(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { kind } = filter
      const filters = filter.filters.map(simplify).flatMap((it) => (it.kind === kind ? it.filters : [it]))
      return filters.length === 1 ? filters[0]! : { kind, filters }
    }
    case 'not': {
      const inner = simplify(filter.filter)
      return inner.kind === 'not' ? inner.filter : { kind: 'not', filter: inner }
    }
    default:
      return filter
  }
}

function countLevels(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return 2 + filter.filters.reduce((max, it) => Math.max(max, countLevels(it)), 0)
    case 'not':
      return 2 + countLevels(filter.filter)
    case 'compare':
      // A decimal comparison takes several conditions.
      return filter.column.model.type === 'decimal' ? 6 : 2
    case 'in':
      return filter.columns.length > 1 ? 5 : 3
    case 'after':
      return 10
    default:
      return 2
  }
}
