import type { Declaration, Field, FileModel, ForeignKey, TableModel } from '../model.ts'
import { annotationSpecs } from './annotation-specs.ts'
import { buildColumns } from './columns.ts'
import { meantAnnotations } from './familiar-names.ts'
import { buildForeignKeys, type FindTarget, type ForeignKeyTarget } from './foreign-keys.ts'
import { buildIndexes } from './indexes.ts'
import { checkPhysicalName, checkTableName } from './names.ts'
import { buildRelations, type KnownForeignKeys } from './relations.ts'
import type { Entry, FileScope } from './scope.ts'
import type { TableDraft } from './tables.ts'

/** The storage models of all tables, by declaration. `known` holds the files that were checked before. */
export function buildTables(
  scopes: readonly FileScope[],
  known: ReadonlyMap<string, FileModel>,
): Map<Declaration, TableModel> {
  return new ModelBuilder(known).build(scopes)
}

/** Tables reference each other, so each step runs for all of them before the next one. */
class ModelBuilder {
  readonly #known: ReadonlyMap<string, FileModel>
  readonly #drafts = new Map<string, TableDraft>()
  readonly #foreignKeys = new Map<TableDraft, readonly ForeignKey[]>()

  constructor(known: ReadonlyMap<string, FileModel>) {
    this.#known = known
  }

  build(scopes: readonly FileScope[]): Map<Declaration, TableModel> {
    for (const { entries } of scopes) for (const entry of entries) this.#addDraft(entry)
    const drafts = [...this.#drafts.values()]
    const findTarget: FindTarget = (path, name) => this.#findTarget(path, name)
    for (const draft of drafts) this.#foreignKeys.set(draft, buildForeignKeys(draft, findTarget))
    return new Map(drafts.map((draft) => [draft.declaration, this.#finish(draft)]))
  }

  #addDraft(entry: Entry): void {
    const draft = entry.isTable && entry.declaration ? createDraft(entry, entry.declaration) : undefined
    if (!draft) return
    buildColumns(draft)
    this.#drafts.set(keyOf(draft.declaration.path, entry.name), draft)
  }

  #findTarget(path: string, name: string): ForeignKeyTarget | undefined {
    const draft = this.#drafts.get(keyOf(path, name))
    return draft ? { ...draft, name } : this.#findKnown(path, name)
  }

  #findForeignKeys(path: string, name: string): KnownForeignKeys {
    const draft = this.#drafts.get(keyOf(path, name))
    if (draft) return { keys: this.#foreignKeys.get(draft) ?? [], incomplete: draft.incomplete }
    return { keys: this.#findKnown(path, name)?.foreignKeys ?? [], incomplete: false }
  }

  #findKnown(path: string, name: string): TableModel | undefined {
    return this.#known.get(path)?.declarations.find((it) => it.name === name)?.table
  }

  #finish(draft: TableDraft): TableModel {
    return {
      name: draft.entry.name,
      table: draft.table,
      ...(draft.schema !== undefined && { schema: draft.schema }),
      renamedFrom: draft.renamedFrom,
      key: draft.key,
      columns: draft.columns,
      groups: draft.groups,
      indexes: buildIndexes(draft),
      foreignKeys: this.#foreignKeys.get(draft) ?? [],
      relations: buildRelations(draft, (...it) => this.#findForeignKeys(...it)),
      ignored: draft.fields.flatMap((it) => (it.role === 'ignored' ? it.name : [])),
    }
  }
}

function keyOf(path: string, name: string): string {
  return `${path}\n${name}`
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
  checkTableName({ table, schema }, bag.get('db.table')?.span ?? syntax.name.span, scope.report)
  const key = fields.filter((it) => it.key).map((it) => it.name)
  const marked = countMarkedAsKey(entry)
  if (key.length === 0 && marked === 0 && !entry.incomplete) {
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
    incomplete: entry.incomplete || key.length < marked,
    optionals: [],
    unresolved: 0,
    indexed: [],
  }
  checkFields(draft, fields)
  return draft
}

function countMarkedAsKey({ members }: Entry): number {
  let count = 0
  for (const { origin, field } of members.values()) {
    const isMarked = origin ? origin.syntax.annotations.some((it) => isMeantAsKey(it.name)) : field?.key
    if (isMarked) count += 1
  }
  return count
}

/** `@db.primary` is reported as unknown. A missing key would be a second error for the same mistake. */
function isMeantAsKey(annotation: string): boolean {
  return annotation === 'meta.id' || (!(annotation in annotationSpecs) && meantAnnotations(annotation)[0] === 'meta.id')
}

/** Reports version and auto-increment columns that a table has more than one of. */
function checkFields({ entry, report }: TableDraft, fields: readonly Field[]): void {
  const { syntax, name, members } = entry
  const spanOf = (field: Field): { start: number; end: number } =>
    members.get(field.name)?.origin?.entry === entry
      ? members.get(field.name)!.origin!.syntax.name.span
      : syntax.name.span
  const versions = fields.filter((it) => it.generated === 'version')
  if (versions[1]) report.add('duplicate_version', spanOf(versions[1]), name)
  const autoIncrement = fields.filter((it) => it.default?.kind === 'increment')
  if (autoIncrement[1]) report.add('duplicate_increment', spanOf(autoIncrement[1]), name)
}
