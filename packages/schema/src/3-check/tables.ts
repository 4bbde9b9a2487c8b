import type { DeclarationSyntax, FieldSyntax, ObjectSyntax, TypeSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import type { Column, Declaration, Field, FieldIndex, Group, TableModel } from '../model.ts'
import type { Place, Span } from '../source.ts'
import type { Entry, Member } from './scope.ts'

/** A table while its stored side is being put together. */
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
  /** Whether a key or foreign key of it was refused, so that a missing one proves nothing. */
  doubtful: boolean
  /** For each column, how many of its field and the objects around it are optional; infinite where it may be null. */
  readonly optionals: number[]
  /** How many fields could not be resolved. */
  unresolved: number
  /** The columns that stand in indexes, in order. */
  readonly indexed: { readonly column: Column; readonly index: FieldIndex; readonly span: Span }[]
}

/** A table, and where it was declared. */
export interface PlacedTable {
  readonly table: TableModel
  readonly place: Place
  readonly syntax: DeclarationSyntax
}

/** What is known of where a field was written, for placing a report. */
export interface FieldPlace {
  readonly span: Span
  readonly syntax: FieldSyntax | undefined
}

/** Where a table's own field stands; for one inherited from another file, the table's name stands for it. */
export function placeOfMember(entry: Entry, member: Member | undefined): FieldPlace {
  const origin = member?.origin
  if (!origin || origin.entry.scope !== entry.scope) {
    return { span: entry.syntax.name.span, syntax: undefined }
  }
  return { span: origin.syntax.name.span, syntax: origin.syntax }
}

/** The nested object that was written right here, if it was. */
export function objectSyntaxOf(type: TypeSyntax | undefined): ObjectSyntax | undefined {
  if (type?.kind === 'object') return type
  if (type?.kind === 'array') return objectSyntaxOf(type.element)
  if (type?.kind !== 'union') return undefined
  return type.members.map(objectSyntaxOf).find((it) => it !== undefined)
}

/** Where the span of an annotation is known, that; otherwise the place of the field. */
export function spanOfAnnotation(place: FieldPlace, name: string): Span {
  return place.syntax?.annotations.find((it) => it.name === name)?.span ?? place.span
}
