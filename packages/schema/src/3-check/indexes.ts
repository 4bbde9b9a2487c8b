import type { Index, IndexColumn } from '../model.ts'
import { checkPhysicalName } from './names.ts'
import type { TableDraft } from './tables.ts'

interface IndexDraft {
  readonly unique: boolean
  readonly columns: IndexColumn[]
}

/** Collects the indexes of a table; fields that share a name share an index. */
export function buildIndexes({ table, indexed, report }: TableDraft): Index[] {
  const found = new Map<string, IndexDraft>()
  for (const { column, index, span } of indexed) {
    const name = index.name ?? column.name
    const physical = `${table}__${name}`
    const draft: IndexDraft = found.get(physical) ?? { unique: index.unique, columns: [] }
    if (draft.unique !== index.unique || draft.columns.some((it) => it.path === column.path)) {
      report.add('duplicate_index', span, name)
      continue
    }
    if (draft.columns.length === 0) checkPhysicalName(physical, span, report)
    draft.columns.push({ path: column.path, column: column.name, order: index.order })
    found.set(physical, draft)
  }
  return [...found].map(([name, index]) => ({ name, ...index }))
}
