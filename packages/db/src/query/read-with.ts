import type { TableRelation } from '@portico/schema/runtime'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { invalid } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import type { Query } from './read-query.ts'

/** One relation to load. */
export interface RelationStep {
  readonly relation: TableRelation
  readonly query: Query
}

const allowed = new Set(['where', 'orderBy', 'select', 'with'])

/** Reads `with`: names of relations, each with `true` or a query of its own. */
export function readWith(plan: TablePlan, wanted: unknown): readonly RelationStep[] {
  if (wanted === undefined) return []
  const subject = `table \`${plan.name}\`: \`with\` is not valid`
  if (!isPlainObject(wanted)) {
    throw invalid(subject, '', explainNotPlain(wanted, 'an object of relations, such as { team: true }'))
  }
  return Object.entries(wanted).flatMap(([name, query]: [string, unknown]): RelationStep[] => {
    const relation = plan.relations.get(name)
    if (!relation) throw invalid(subject, name, explainRelation(plan), 'additionalProperties')
    if (query === false || query === undefined) return []
    if (query === true) return [{ relation, query: {} }]
    if (!isPlainObject(query)) throw invalid(subject, name, 'expected true or a query, which is a plain object')
    const unknown = Object.keys(query).find((it) => !allowed.has(it))
    if (unknown !== undefined) {
      const message = `is not known here; known are ${[...allowed].join(', ')}`
      throw invalid(subject, `${name}.${unknown}`, message, 'additionalProperties')
    }
    return [{ relation, query }]
  })
}

function explainRelation({ relations }: TablePlan): string {
  if (relations.size === 0) return 'is not a relation; the table has none'
  return `is not a relation; known are ${[...relations.keys()].join(', ')}`
}

/** The columns of the starting records that link to the relations. */
export function columnsFor(plan: TablePlan, steps: readonly RelationStep[]): PlanColumn[] {
  const paths = new Set(steps.flatMap(({ relation }) => relation.on.map((it) => it.here)))
  return [...paths].map((path) => plan.byPath.get(path)!)
}
