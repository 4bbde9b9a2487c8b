import type { FileSyntax } from '../2-parse/syntax.ts'
import { type Diagnostic, Report } from '../diagnostics.ts'
import type { FileModel, TableModel } from '../model.ts'
import type { Place } from '../source.ts'

interface CheckedModel {
  readonly model: FileModel
  readonly syntax: FileSyntax
}

interface PlacedTable {
  readonly table: TableModel
  readonly place: Place
}

/** What can only be seen with all files together: two tables of one physical name. */
export function checkTableNames(files: readonly CheckedModel[]): Diagnostic[] {
  const tables = files.map(placeTables)
  const byName = new Map<string, PlacedTable>()
  const found: Diagnostic[] = []
  for (const [index, { syntax }] of files.entries()) {
    const report = new Report(syntax.source)
    for (const placed of tables[index]!) checkDuplicate(placed, byName, report)
    found.push(...report.list())
  }
  for (const [index, { syntax }] of files.entries()) {
    const report = new Report(syntax.source)
    for (const { table, place } of tables[index]!) {
      const taken = table.renamedFrom.find((it) => byName.has(flatName({ ...table, table: it })))
      if (taken !== undefined) report.add('renamed_to_existing', place.span, taken)
    }
    found.push(...report.list())
  }
  return found
}

function checkDuplicate(placed: PlacedTable, byName: Map<string, PlacedTable>, report: Report): void {
  const flat = flatName(placed.table)
  const first = byName.get(flat)
  if (!first) byName.set(flat, placed)
  else {
    const full = fullName(placed.table)
    const physical = fullName(first.table) === full ? full : flat
    const related = [{ ...first.place, message: 'the other table' }]
    report.addRelated('duplicate_table', placed.place.span, related, physical, first.table.name, placed.table.name)
  }
}

function placeTables({ model, syntax }: CheckedModel): PlacedTable[] {
  const spans = new Map(syntax.declarations.map((it) => [it.name.text, it.name.span]))
  return model.declarations.flatMap(({ table, name }) =>
    table ? [{ table, place: { source: syntax.source, span: spans.get(name)! } }] : [],
  )
}

/** Databases without schemas keep the table under this name, so that it has to be unique as well. */
function flatName({ schema, table }: TableModel): string {
  return schema === undefined ? table : `${schema}__${table}`
}

function fullName({ schema, table }: TableModel): string {
  return schema === undefined ? table : `${schema}.${table}`
}
