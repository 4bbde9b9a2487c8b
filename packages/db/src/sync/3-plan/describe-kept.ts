import type { TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import type { KeptPart } from '../2-diff/difference.ts'
import type { KeptItem } from './sync-plan.ts'

export function describeKept(part: KeptPart, plan: TablePlan): KeptItem {
  const table = declaredNameOf(plan)
  const item = (kind: KeptItem['kind'], name: string, description: string): KeptItem => ({
    kind,
    table,
    name,
    description,
    consent: `drop ${name}`,
  })
  switch (part.kind) {
    case 'column': {
      const name = `${table}.${part.column.name}`
      return item('column', name, `column ${name} is no longer declared`)
    }
    case 'index': {
      const { name, unique } = part.index
      const effect = unique ? ', but still rejects duplicates' : ''
      return item('index', name, `${unique ? 'unique ' : ''}index ${name} on ${table} is no longer declared${effect}`)
    }
    case 'foreignKey': {
      const { name } = part
      return item('foreignKey', name, `foreign key ${name} is no longer declared, but still enforced`)
    }
  }
}

/** A table that is no longer declared. */
export function describeLeftover(table: string): KeptItem {
  const description = `table ${table} is no longer declared`
  return { kind: 'table', table, name: table, description, consent: `drop ${table}` }
}
