import type { DeclarationSyntax, FieldSyntax, ObjectSyntax, TypeSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import type { Column, Declaration, Field, FieldIndex, Group, TableModel } from '../model.ts'
import type { Place, Span } from '../source.ts'
import type { Entry, Member } from './scope.ts'

/** A table whose storage model is being built. */
export interface TableDraft {
  readonly entry: Entry
  readonly declaration: Declaration
  readonly report: Report
  readonly fields: readonly Field[]
  /** The physical name. */
  readonly table: string
  readonly schema: string | undefined
  readonly renamedFrom: readonly string[]
  readonly key: readonly string[]
  readonly columns: Column[]
  readonly groups: Group[]
  /** True if a key or foreign key was rejected. Missing ones are not reported then. */
  incomplete: boolean
  /** Per column: the number of optional levels, counting the field and its parent objects. Infinity if it allows null. */
  readonly optionals: number[]
  /** The number of fields that could not be resolved. */
  unresolved: number
  /** The indexed columns, in order. */
  readonly indexed: { readonly column: Column; readonly index: FieldIndex; readonly span: Span }[]
}

/** A table and the place of its declaration. */
export interface PlacedTable {
  readonly table: TableModel
  readonly place: Place
  readonly syntax: DeclarationSyntax
}

/** The source of a field, used to place reports. */
export interface FieldPlace {
  readonly span: Span
  readonly syntax: FieldSyntax | undefined
}

/** The place of a table's field. For a field inherited from another file: the name of the table. */
export function placeOfMember(entry: Entry, member: Member | undefined): FieldPlace {
  const origin = member?.origin
  if (!origin || origin.entry.scope !== entry.scope) {
    return { span: entry.syntax.name.span, syntax: undefined }
  }
  return { span: origin.syntax.name.span, syntax: origin.syntax }
}

/** The object type written inline, if there is one. */
export function objectSyntaxOf(type: TypeSyntax | undefined): ObjectSyntax | undefined {
  if (type?.kind === 'object') return type
  if (type?.kind === 'array') return objectSyntaxOf(type.element)
  if (type?.kind !== 'union') return undefined
  return type.members.map(objectSyntaxOf).find((it) => it !== undefined)
}

/** The span of an annotation if known, otherwise of the field. */
export function spanOfAnnotation(place: FieldPlace, name: string): Span {
  return place.syntax?.annotations.find((it) => it.name === name)?.span ?? place.span
}
