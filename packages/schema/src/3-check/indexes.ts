import type { Index, IndexColumn } from '../model.ts'
import type { Span } from '../source.ts'
import { checkPhysicalName, differOnlyInCase, foldName } from './names.ts'
import type { TableDraft } from './tables.ts'

interface IndexDraft {
  readonly name: string
  readonly unique: boolean
  readonly columns: IndexColumn[]
}

/** Collects the indexes of a table. Fields with the same index name form one index. */
export function buildIndexes({ table, indexed, report }: TableDraft): Index[] {
  const found = new Map<string, IndexDraft>()
  const places = new Map<string, Span>()
  for (const { column, index, span } of indexed) {
    const name = index.name ?? column.name
    const physical = `${table}__${name}`
    const folded = foldName(physical)
    const draft: IndexDraft = found.get(folded) ?? { name: physical, unique: index.unique, columns: [] }
    if (draft.name !== physical) {
      // Columns whose names differ only in case are reported already.
      const isReported = draft.columns.some((it) => differOnlyInCase(it.column, column.name))
      const related = [{ source: report.source, span: places.get(folded)!, message: 'the other index' }]
      if (!isReported) report.addRelated('duplicate_index', span, related, name, draft.name.slice(table.length + 2))
      continue
    }
    if (draft.unique !== index.unique || draft.columns.some((it) => it.path === column.path)) {
      report.add('duplicate_index', span, name, name)
      continue
    }
    if (draft.columns.length === 0) checkPhysicalName(physical, span, report)
    draft.columns.push({ path: column.path, column: column.name, order: index.order })
    found.set(folded, draft)
    if (!places.has(folded)) places.set(folded, span)
  }
  return [...found.values()]
}
