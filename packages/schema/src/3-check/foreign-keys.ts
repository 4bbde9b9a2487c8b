import type { Field, FieldReference, ForeignKey, ForeignKeyAction, TableModel } from '../model.ts'
import { checkPhysicalName } from './names.ts'
import { type FieldPlace, placeOfMember, spanOfAnnotation, type TableDraft } from './tables.ts'

/** The table that a foreign key references. */
export type ForeignKeyTarget = Pick<TableModel, 'name' | 'table' | 'key' | 'columns'> & {
  readonly schema?: string | undefined
  /** True if part of its key was rejected. */
  readonly incomplete?: boolean
}

export type FindTarget = (path: string, name: string) => ForeignKeyTarget | undefined

interface Part {
  readonly field: Field
  readonly place: FieldPlace
  readonly reference: FieldReference
  readonly name: string | undefined
}

/** Groups foreign key fields into foreign keys. Each references the whole key of its target. */
export function buildForeignKeys(draft: TableDraft, find: FindTarget): ForeignKey[] {
  const groups = new Map<string, { target: ForeignKeyTarget; parts: Part[] }>()
  for (const field of draft.fields) {
    const part = readPart(draft, field)
    const target = part && find(part.reference.path, part.reference.table)
    if (!part) continue
    if (!target?.key.includes(part.reference.field)) {
      if (!target?.incomplete) draft.report.add('foreign_key_type', part.place.span, field.name)
      continue
    }
    const alone = part.name === undefined && target.key.length === 1
    const group = `${part.reference.path} ${target.name} ${alone ? `field ${field.name}` : `name ${part.name ?? ''}`}`
    const parts = groups.get(group)?.parts
    if (parts) parts.push(part)
    else groups.set(group, { target, parts: [part] })
  }
  const found = [...groups.values()].flatMap(({ target, parts }) => buildForeignKey(draft, target, parts) ?? [])
  const wanted = draft.fields.filter((it) => it.foreignKey).length
  if (found.reduce((sum, it) => sum + it.paths.length, 0) < wanted) draft.incomplete = true
  return found
}

function readPart(draft: TableDraft, field: Field): Part | undefined {
  if (!field.foreignKey || field.type.kind === 'unknown') return undefined
  const place = placeOfMember(draft.entry, draft.entry.members.get(field.name))
  if (field.reference) return { field, place, reference: field.reference, name: field.foreignKey.name }
  draft.report.add('foreign_key_type', place.span, field.name)
  return undefined
}

function buildForeignKey(draft: TableDraft, target: ForeignKeyTarget, parts: Part[]): ForeignKey | undefined {
  const [first] = parts as [Part, ...Part[]]
  const byKey = new Map<string, Part>()
  for (const part of parts) {
    const { field } = part.reference
    if (byKey.has(field)) {
      draft.report.add('foreign_key_ambiguous', part.place.span, `${target.name}.${field}`)
      return undefined
    }
    byKey.set(field, part)
  }
  const missing = target.key.filter((it) => !byKey.has(it))
  if (missing.length > 0) {
    draft.report.add('foreign_key_incomplete', first.place.span, target.name, missing)
    return undefined
  }
  const ordered = target.key.map((it) => byKey.get(it)!)
  const name = first.name ?? first.field.name
  const constraint = `${draft.table}__${name}__fk`
  checkPhysicalName(constraint, first.place.span, draft.report)
  return {
    name,
    constraint,
    paths: ordered.map((it) => it.field.name),
    columns: ordered.map((it) => columnOf(draft, it.field.name)),
    references: {
      declaration: target.name,
      table: target.table,
      ...(target.schema !== undefined && { schema: target.schema }),
      paths: target.key,
      columns: target.key.map((it) => columnOf(target, it)),
    },
    onDelete: readAction(draft, ordered, 'onDelete'),
    onUpdate: readAction(draft, ordered, 'onUpdate'),
  }
}

function columnOf({ columns }: { columns: readonly { path: string; name: string }[] }, path: string): string {
  return columns.find((it) => it.path === path)?.name ?? path
}

function readAction(draft: TableDraft, parts: readonly Part[], name: 'onDelete' | 'onUpdate'): ForeignKeyAction {
  const found = parts.flatMap((part) => {
    const action = part.field.foreignKey?.[name]
    return action ? [{ part, action }] : []
  })
  const [first] = found
  const other = found.find((it) => it.action !== first?.action)
  const annotation = `db.rel.${name}`
  if (other) draft.report.add('foreign_key_actions', spanOfAnnotation(other.part.place, annotation), annotation)
  if (first) checkAction(draft, parts, first.action, spanOfAnnotation(first.part.place, annotation))
  return first?.action ?? 'restrict'
}

function checkAction(
  draft: TableDraft,
  parts: readonly Part[],
  action: ForeignKeyAction,
  span: { start: number; end: number },
): void {
  const required = parts.find(({ field }) => !draft.columns.find((it) => it.path === field.name)?.nullable)
  if (action === 'setNull' && required) draft.report.add('set_null_required', span, required.field.name)
  const plain = parts.some(({ field }) => field.default?.kind !== 'value')
  if (action === 'setDefault' && plain) draft.report.add('set_default_missing', span)
}
