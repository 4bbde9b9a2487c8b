import type { Column, ColumnRules, ColumnType, Expectation, Field, FieldIndex, Storage, Type } from '../model.ts'
import type { Span } from '../source.ts'
import { annotationSpecs } from './annotation-specs.ts'
import { checkPhysicalName, foldName } from './names.ts'
import { type FieldPlace, objectSyntaxOf, placeOfMember, spanOfAnnotation, type TableDraft } from './tables.ts'
import { allowsNull, fieldsOf, hasKind, kindOf, literalsOf, unalias, withoutNull } from './types.ts'

/** No common database supports more columns in one table. */
const MAX_COLUMNS = 1000

/** The previous names of a nested object multiply with those of its fields. */
const MAX_PREVIOUS_NAMES = 1000

const none: readonly never[] = []

/** Inherited from the objects around a field. */
interface ColumnContext {
  readonly path: string
  /** The prefix of the physical name, followed by previous ones. */
  readonly prefixes: readonly string[]
  /** The number of optional objects. */
  readonly optionals: number
  readonly writeOnly: boolean
  readonly top: boolean
}

/** Adds the columns and groups of a table. Flattens nested objects and reports types that no column can store. */
export function buildColumns(draft: TableDraft): void {
  const around: ColumnContext = { path: '', prefixes: [''], optionals: 0, writeOnly: false, top: true }
  for (const field of draft.fields) {
    addField(draft, field, placeOfMember(draft.entry, draft.entry.members.get(field.name)), around)
  }
  checkColumnNames(draft)
}

function addField(draft: TableDraft, field: Field, place: FieldPlace, around: ColumnContext): void {
  if (draft.columns.length >= MAX_COLUMNS) {
    reportTooMany(draft)
    return
  }
  if (!around.top) refuseOwnFieldAnnotations(draft, field, place)
  const kind = kindOf(field.type)
  const isUnknown = kind === 'unknown' || (kind === 'mixed' && hasKind(field.type, 'unknown'))
  if (isUnknown) draft.unresolved += 1
  if (field.role !== 'stored' || isUnknown) return
  if (field.optional && allowsNull(field.type)) {
    draft.report.add('optional_null', place.span, field.name)
    return
  }
  if (around.prefixes.length * (field.renamedFrom.length + 1) > MAX_PREVIOUS_NAMES) {
    const span = spanOfAnnotation(place, 'db.column.renamed')
    draft.report.add('too_many_previous_names', span, around.path + field.name, MAX_PREVIOUS_NAMES)
    draft.unresolved += 1
    return
  }
  const inner = enter(field, around)
  const fields = !field.json && kind === 'object' ? fieldsOf(field.type) : undefined
  if (fields) {
    if (allowsNull(field.type)) draft.report.add('no_column_type', place.span, field.name)
    else addGroup(draft, field, fields, place, inner)
  } else addColumn(draft, field, place, inner, around)
}

function enter(field: Field, around: ColumnContext): ColumnContext {
  return {
    path: around.path + field.name,
    prefixes: namesOf(field, around.prefixes),
    optionals: around.optionals + (field.optional ? 1 : 0),
    writeOnly: around.writeOnly || field.writeOnly,
    top: false,
  }
}

/** The physical name, followed by all possible previous names. */
function namesOf({ name, columnName = name, renamedFrom }: Field, prefixes: readonly string[]): string[] {
  if (prefixes.length === 1 && renamedFrom.length === 0) return [prefixes[0]! + columnName]
  return prefixes.flatMap((prefix) => [columnName, ...renamedFrom].map((it) => prefix + it))
}

function addGroup(
  draft: TableDraft,
  field: Field,
  fields: readonly Field[],
  place: FieldPlace,
  inner: ColumnContext,
): void {
  const first = draft.columns.length
  const { unresolved } = draft
  const written = objectSyntaxOf(place.syntax?.type)
  const group = draft.groups.push({ path: inner.path, optional: field.optional }) - 1
  const within = { ...inner, path: `${inner.path}.`, prefixes: inner.prefixes.map((it) => `${it}__`) }
  for (const nested of fields) addField(draft, nested, placeOfNested(nested, place, written), within)
  if (!field.optional) return
  const required = draft.columns.filter((_, index) => index >= first && draft.optionals[index] === inner.optionals)
  // Prefer a column without a default: an older program may store the object without a newly added field.
  const presence = required.find((it) => it.default === undefined && it.generated === undefined) ?? required[0]
  if (presence) draft.groups[group] = { path: inner.path, optional: true, presence: presence.name }
  else if (draft.unresolved === unresolved) draft.report.add('empty_optional_object', place.span, inner.path)
}

function placeOfNested(field: Field, outer: FieldPlace, written: ReturnType<typeof objectSyntaxOf>): FieldPlace {
  const syntax = written?.fields.find((it) => it.name.text === field.name)
  return { span: syntax?.name.span ?? outer.span, syntax }
}

function addColumn(
  draft: TableDraft,
  field: Field,
  place: FieldPlace,
  inner: ColumnContext,
  around: ColumnContext,
): void {
  const type = columnTypeOf(field)
  if (!type) {
    draft.report.add('no_column_type', place.span, field.name)
    return
  }
  if (type === 'json') refuseInJson(draft, field, place)
  const name = inner.prefixes[0]!
  const bare = withoutNull(field.type)
  const number = bare.kind === 'number' ? bare : undefined
  const maybeNull = allowsNull(field.type)
  const column: Mutable<Column> = {
    path: inner.path,
    name,
    type,
    storage: storageOf(type, field.key || number?.key === true),
    integer: type === 'number' && (number?.integer === true || field.key || field.expectations.some(isInt)),
    nullable: inner.optionals > 0 || maybeNull,
    optional: field.optional,
    key: field.key && around.top,
    writeOnly: inner.writeOnly,
    renamedFrom: inner.prefixes.length === 1 ? none : [...new Set(inner.prefixes)].filter((it) => it !== name),
  }
  if ('subtype' in bare && bare.subtype !== undefined) column.subtype = bare.subtype
  if (maybeNull) column.allowsNull = true
  if (type === 'json') describeJson(column, field)
  else addValues(column, field)
  const rules = rulesOf(field.expectations)
  if (rules && type !== 'json') column.expect = rules
  if (field.default) column.default = field.default
  if (field.generated) column.generated = field.generated
  if (bare.kind === 'decimal' && bare.precision) column.precision = bare.precision
  checkPhysicalName(name, () => spanOfAnnotation(place, 'db.column'), draft.report)
  draft.columns.push(column)
  draft.optionals.push(maybeNull ? Number.POSITIVE_INFINITY : inner.optionals)
  for (const index of field.indexes) {
    draft.indexed.push({ column, index, span: spanOfIndex(place, index) })
  }
}

/** A field may be part of several indexes, which differ by name. */
function spanOfIndex(place: FieldPlace, { unique, name }: FieldIndex): Span {
  const annotation = unique ? 'db.index.unique' : 'db.index.plain'
  const named = place.syntax?.annotations.find((it) => it.name === annotation && it.args[0]?.value === name)
  return named?.span ?? spanOfAnnotation(place, annotation)
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function addValues(column: Mutable<Column>, { type }: Field): void {
  const values = literalsOf(type)?.filter((it) => it !== null)
  if (values) column.values = values
}

function describeJson(column: Mutable<Column>, field: Field): void {
  column.shape = shapeOf(field)
  const bare = withoutNull(field.type)
  const element = bare.kind === 'array' && !allowsNull(bare.element) ? kindOf(bare.element) : undefined
  if (element === 'decimal') column.element = 'string'
  if (element === 'string' || element === 'number' || element === 'boolean') column.element = element
}

/** The rules that existing rows may violate. `int` is left out: `Column.integer` covers it. */
function rulesOf(expectations: readonly Expectation[]): ColumnRules | undefined {
  const rules: Mutable<ColumnRules> = {}
  for (const { rule, value } of expectations) {
    if (rule === 'int') continue
    if (rule === 'pattern') rules.patterns = [...(rules.patterns ?? []), String(value)]
    else rules[rule] = Number(value)
  }
  return Object.keys(rules).length > 0 ? rules : undefined
}

function isInt({ rule }: { rule: string }): boolean {
  return rule === 'int'
}

function columnTypeOf(field: Field): ColumnType | undefined {
  if (field.json) return 'json'
  const kind = kindOf(field.type)
  if (kind === 'array') return 'json'
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'decimal' ? kind : undefined
}

function storageOf(type: ColumnType, key: boolean): Storage {
  if (type === 'string') return 'text'
  if (type === 'number') return key ? 'integer' : 'real'
  return type
}

function shapeOf({ type }: Field): 'array' | 'object' | 'mixed' {
  const kind = kindOf(type)
  return kind === 'array' || kind === 'object' ? kind : 'mixed'
}

/** Nested objects cannot have keys, navigation fields or generated values. */
function refuseOwnFieldAnnotations(draft: TableDraft, field: Field, place: FieldPlace): void {
  for (const { name, span } of place.syntax?.annotations ?? []) {
    if (annotationSpecs[name]?.ownField) draft.report.add('nested_annotation', span, `\`@${name}\``)
  }
  if (!place.syntax && belongsToTable(field))
    draft.report.add('nested_annotation', place.span, `\`${field.name}\` with its annotations`)
  const bare = withoutNull(field.type)
  const stamp = bare.kind === 'number' && bare.subtype?.startsWith('timestamp.')
  if (stamp && field.generated) {
    draft.report.add('nested_annotation', place.syntax?.type.span ?? place.span, `\`number.${bare.subtype}\``)
  }
}

/** True if a field declared in a named type uses features that only a table's own fields may have. */
function belongsToTable({ key, role, default: value, generated, foreignKey }: Field): boolean {
  const isFilled = generated === 'version' || (value !== undefined && value.kind !== 'value')
  return key || role === 'navigation' || foreignKey !== undefined || isFilled
}

/** Column annotations have no effect inside a JSON column, and a write-only field there would be returned. */
function refuseInJson(draft: TableDraft, field: Field, place: FieldPlace): void {
  const written = objectSyntaxOf(place.syntax?.type)
  if (written) {
    for (const nested of written.fields) {
      for (const { name, span } of nested.annotations) {
        if (annotationSpecs[name]?.column || name === 'meta.id') draft.report.add('annotation_in_json', span, name)
      }
      refuseInJson(draft, field, { span: nested.name.span, syntax: nested })
    }
  } else if (hasHiddenField(field)) draft.report.add('annotation_in_json', place.span, 'db.writeOnly')
}

/** Visits each type once, since a type may be used many times. */
function hasHiddenField({ type }: Field, seen: Set<Type> = new Set()): boolean {
  const bare = unalias(type)
  const inner = bare.kind === 'array' ? unalias(bare.element) : bare
  if (seen.has(inner)) return false
  seen.add(inner)
  return (fieldsOf(inner) ?? []).some((it) => it.writeOnly || hasHiddenField(it, seen))
}

function reportTooMany(draft: TableDraft): void {
  draft.report.add('too_many_columns', draft.entry.syntax.name.span, draft.entry.name, MAX_COLUMNS)
}

function checkColumnNames(draft: TableDraft): void {
  const byName = new Map<string, Column>()
  for (const column of draft.columns) {
    const folded = foldName(column.name)
    const earlier = byName.get(folded)
    if (!earlier) byName.set(folded, column)
    else {
      const { span } = placeOfPath(draft, column.path)
      draft.report.add('duplicate_column', span, column.name, earlier.path, column.path, earlier.name)
    }
  }
  for (const column of draft.columns) checkPreviousNames(draft, column, byName)
}

function checkPreviousNames(draft: TableDraft, column: Column, byName: ReadonlyMap<string, Column>): void {
  for (const previous of column.renamedFrom) {
    const owner = byName.get(foldName(previous))
    if (!owner || owner === column) continue
    const span = spanOfAnnotation(placeOfPath(draft, column.path), 'db.column.renamed')
    draft.report.add('renamed_to_existing', span, previous, `the column of \`${owner.path}\``, '@db.column')
    return
  }
}

/** The place of a column's field: the nested field if its object is written inline. */
function placeOfPath(draft: TableDraft, path: string): FieldPlace {
  const [first = '', ...rest] = path.split('.')
  let place = placeOfMember(draft.entry, draft.entry.members.get(first))
  for (const name of rest) {
    const syntax = objectSyntaxOf(place.syntax?.type)?.fields.find((it) => it.name.text === name)
    if (!syntax) break
    place = { span: syntax.name.span, syntax }
  }
  return place
}
