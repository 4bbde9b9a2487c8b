import type { Declaration, Field, FileModel, ForeignKey, TableModel } from '../model.ts'
import { buildColumns } from './columns.ts'
import { buildForeignKeys } from './foreign-keys.ts'
import { buildIndexes } from './indexes.ts'
import { inheritFields } from './inherit.ts'
import { checkPhysicalName } from './names.ts'
import { buildRelations } from './relations.ts'
import { resolveTypes } from './resolve.ts'
import { createScopes, type Entry, type FileScope, type FileToCheck, isEntry } from './scope.ts'
import type { TableDraft } from './tables.ts'

/** Checks files together and returns their models, in the same order. `known` holds the files checked before. */
export function check(files: readonly FileToCheck[], known: ReadonlyMap<string, FileModel>): FileModel[] {
  const scopes = createScopes(files, known)
  inheritFields(scopes)
  resolveTypes(scopes)
  for (const scope of scopes) checkGeneratedNames(scope)
  const tables = buildTables(scopes, known)
  return scopes.map(({ syntax, entries }) => ({
    path: syntax.source.path,
    declarations: entries.flatMap(({ declaration }) =>
      declaration ? [{ ...declaration, ...(tables.has(declaration) && { table: tables.get(declaration)! }) }] : [],
    ),
    incomplete: syntax.incomplete || syntax.lost.size > 0,
  }))
}

/** The names a generated module has beside those that were declared. */
export function generatedNames({ name, kind }: Pick<Declaration, 'name' | 'kind'>): string[] {
  const always = [`check${name}`]
  return kind === 'table' ? [...always, `${name}Insert`, `${name}Replace`, `${name}Update`, `${name}Key`] : always
}

function checkGeneratedNames(scope: FileScope): void {
  const { entries, names, report } = scope
  for (const { declaration, name } of entries) {
    for (const generated of declaration ? generatedNames(declaration) : []) {
      const owner = names.get(generated)
      if (owner === undefined || !isEntry(owner) || owner.scope !== scope) continue
      report.add('generated_name_taken', owner.syntax.name.span, generated, name)
    }
  }
}

function buildTables(
  scopes: readonly FileScope[],
  known: ReadonlyMap<string, FileModel>,
): Map<Declaration, TableModel> {
  const drafts = new Map<string, TableDraft>()
  for (const { entries } of scopes) {
    for (const entry of entries) {
      const draft = entry.isTable && entry.declaration ? createDraft(entry, entry.declaration) : undefined
      if (draft) drafts.set(keyOf(draft.declaration.path, entry.name), draft)
    }
  }
  for (const draft of drafts.values()) buildColumns(draft)
  const findKnown = (path: string, name: string): TableModel | undefined =>
    known.get(path)?.declarations.find((it) => it.name === name)?.table
  const foreignKeys = new Map<TableDraft, ForeignKey[]>()
  for (const draft of drafts.values()) {
    foreignKeys.set(
      draft,
      buildForeignKeys(draft, (path, name) => targetOf(drafts.get(keyOf(path, name))) ?? findKnown(path, name)),
    )
  }
  const tables = new Map<Declaration, TableModel>()
  for (const draft of drafts.values()) {
    const relations = buildRelations(draft, (path, name) => {
      const found = drafts.get(keyOf(path, name))
      if (found) return { keys: foreignKeys.get(found) ?? [], doubtful: found.doubtful }
      return { keys: findKnown(path, name)?.foreignKeys ?? [], doubtful: false }
    })
    tables.set(draft.declaration, {
      name: draft.entry.name,
      table: draft.table,
      ...(draft.schema !== undefined && { schema: draft.schema }),
      renamedFrom: draft.renamedFrom,
      key: draft.key,
      columns: draft.columns,
      groups: draft.groups,
      indexes: buildIndexes(draft),
      foreignKeys: foreignKeys.get(draft) ?? [],
      relations,
      ignored: draft.fields.flatMap((it) => (it.role === 'ignored' ? it.name : [])),
    })
  }
  return tables
}

function keyOf(path: string, name: string): string {
  return `${path}\n${name}`
}

function targetOf(draft: TableDraft | undefined) {
  return draft && { ...draft, name: draft.entry.name }
}

function createDraft(entry: Entry, declaration: Declaration): TableDraft | undefined {
  if (declaration.type.kind !== 'object') return undefined
  const { bag, scope, syntax } = entry
  const { fields } = declaration.type
  const table = bag.text('db.table') ?? entry.name
  const schema = bag.text('db.schema')
  const renamedFrom = bag.every('db.table.renamed').map((it) => String(it.args[0]?.value))
  checkPhysicalName(table, bag.get('db.table')?.span ?? syntax.name.span, scope.report)
  if (schema !== undefined) checkPhysicalName(schema, bag.get('db.schema')!.span, scope.report)
  const key = fields.filter((it) => it.key).map((it) => it.name)
  const marked = [...entry.members.values()].filter((it) =>
    it.origin ? it.origin.syntax.annotations.some((at) => at.name === 'meta.id') : it.field?.key,
  )
  if (key.length === 0 && marked.length === 0 && !entry.incomplete) {
    scope.report.add('missing_key', syntax.name.span, entry.name)
  }
  const draft: TableDraft = {
    entry,
    declaration,
    report: scope.report,
    fields,
    table,
    schema,
    renamedFrom,
    key,
    columns: [],
    groups: [],
    doubtful: entry.incomplete || key.length < marked.length,
    optionals: [],
    unresolved: 0,
    indexed: [],
  }
  checkFields(draft, fields)
  return draft
}

/** What a table may have only one of. */
function checkFields({ entry, report }: TableDraft, fields: readonly Field[]): void {
  const { syntax, name, members } = entry
  const spanOf = (field: Field): { start: number; end: number } =>
    members.get(field.name)?.origin?.entry === entry
      ? members.get(field.name)!.origin!.syntax.name.span
      : syntax.name.span
  const versions = fields.filter((it) => it.generated === 'version')
  if (versions[1]) report.add('duplicate_version', spanOf(versions[1]), name)
  const counted = fields.filter((it) => it.default?.kind === 'increment')
  if (counted[1]) report.add('duplicate_increment', spanOf(counted[1]), name)
}
