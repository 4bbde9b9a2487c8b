import type { FileSyntax } from '../2-parse/syntax.ts'
import { type Diagnostic, Report } from '../diagnostics/report.ts'
import type { FileModel, TableModel } from '../model.ts'
import { ConstraintNames } from './constraint-names.ts'
import { flatName, foldName } from './names.ts'
import type { PlacedTable } from './tables.ts'

interface CheckedModel {
  readonly model: FileModel
  readonly syntax: FileSyntax
}

/** Tables by their physical names, folded as databases compare them. */
type NamedTables = ReadonlyMap<string, PlacedTable>

/** Reports tables, indexes and foreign keys of different files that share a physical name. */
export function checkPhysicalNames(files: readonly CheckedModel[]): Diagnostic[] {
  const tables = files.map(placeTables)
  const byName = new Map<string, PlacedTable>()
  const found: Diagnostic[] = []
  const checkAll = (check: (placed: PlacedTable, report: Report) => void): void => {
    for (const [index, { syntax }] of files.entries()) {
      const report = new Report(syntax.source)
      for (const placed of tables[index]!) check(placed, report)
      found.push(...report.list())
    }
  }
  checkAll((placed, report) => checkDuplicate(placed, byName, report))
  checkAll((placed, report) => checkPreviousNames(placed, byName, report))
  const constraints = new ConstraintNames(byName.values())
  checkAll((placed, report) => constraints.check(placed, report))
  return found
}

function checkDuplicate(placed: PlacedTable, byName: Map<string, PlacedTable>, report: Report): void {
  const flat = flatName(placed.table)
  const first = byName.get(foldName(flat))
  if (!first) byName.set(foldName(flat), placed)
  else {
    const nameOf = foldName(fullName(first.table)) === foldName(fullName(placed.table)) ? fullName : flatName
    const related = [{ ...first.place, message: 'the other table' }]
    const names = [first.table.name, placed.table.name] as const
    report.addRelated(
      'duplicate_table',
      placed.place.span,
      related,
      nameOf(placed.table),
      ...names,
      nameOf(first.table),
    )
  }
}

function checkPreviousNames({ table, place, syntax }: PlacedTable, byName: NamedTables, report: Report): void {
  for (const previous of table.renamedFrom) {
    const owner = byName.get(foldName(flatName({ ...table, table: previous })))
    // `Users` to `users` is a rename, `users` to `users` is not.
    if (!owner || (owner.table === table && previous !== table.table)) continue
    const annotation = syntax.annotations.find((it) => it.name === 'db.table.renamed' && it.args[0]?.value === previous)
    const related = owner.table === table ? [] : [{ ...owner.place, message: 'the table of that name' }]
    const span = annotation?.span ?? place.span
    report.addRelated('renamed_to_existing', span, related, previous, `the table \`${owner.table.name}\``, '@db.table')
  }
}

function placeTables({ model, syntax }: CheckedModel): PlacedTable[] {
  const byName = new Map(syntax.declarations.map((it) => [it.name.text, it]))
  return model.declarations.flatMap(({ table, name }) => {
    const declaration = byName.get(name)
    if (!table || !declaration) return []
    return [{ table, place: { source: syntax.source, span: declaration.name.span }, syntax: declaration }]
  })
}

function fullName({ schema, table }: TableModel): string {
  return schema === undefined ? table : `${schema}.${table}`
}
