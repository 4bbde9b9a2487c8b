import type { SourceFile, Span } from '../source.ts'

/** What was written in one file. Everything carries its span; nothing here is resolved or checked. */
export interface FileSyntax {
  readonly source: SourceFile
  readonly imports: readonly ImportSyntax[]
  readonly declarations: readonly DeclarationSyntax[]
  /** The names in what could not be read at the top level: that one of them is not declared proves nothing. */
  readonly lost: ReadonlySet<string>
  /** What was written in declarations without a name. Each may be what an unknown name was meant to be. */
  readonly nameless: readonly TypeSyntax[]
}

export interface ImportSyntax {
  readonly names: readonly NameSyntax[]
  readonly from: StringSyntax
  readonly span: Span
}

export interface NameSyntax {
  readonly text: string
  readonly span: Span
}

export interface StringSyntax {
  readonly value: string
  readonly span: Span
}

export type DeclarationSyntax = InterfaceSyntax | AliasSyntax

interface Annotated {
  readonly annotations: readonly AnnotationSyntax[]
  readonly doc: string | undefined
}

export interface InterfaceSyntax extends Annotated {
  readonly kind: 'interface'
  readonly name: NameSyntax
  readonly exported: boolean
  readonly bases: readonly NameSyntax[]
  readonly body: ObjectSyntax
  readonly span: Span
}

export interface AliasSyntax extends Annotated {
  readonly kind: 'alias'
  readonly name: NameSyntax
  readonly exported: boolean
  readonly type: TypeSyntax
  readonly span: Span
}

export interface FieldSyntax extends Annotated {
  readonly name: NameSyntax
  readonly optional: boolean
  readonly type: TypeSyntax
  readonly span: Span
}

export interface AnnotationSyntax {
  /** Without the `@`; empty when the name is missing. */
  readonly name: string
  readonly span: Span
  readonly args: readonly ArgumentSyntax[]
  /** Whether its arguments could not be read, so that their number proves nothing. */
  readonly incomplete: boolean
}

export type ArgumentSyntax =
  | { readonly kind: 'string'; readonly value: string; readonly span: Span }
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly span: Span }
  | { readonly kind: 'name'; readonly value: string; readonly span: Span }

export type LiteralValue = string | number | boolean | null

export type TypeSyntax =
  | { readonly kind: 'literal'; readonly value: LiteralValue; readonly span: Span }
  | { readonly kind: 'reference'; readonly path: readonly NameSyntax[]; readonly span: Span }
  | UnionSyntax
  | { readonly kind: 'array'; readonly element: TypeSyntax; readonly span: Span }
  | ObjectSyntax
  /** A type that could not be read and was reported. */
  | { readonly kind: 'broken'; readonly span: Span }

export interface UnionSyntax {
  readonly kind: 'union'
  readonly members: readonly TypeSyntax[]
  readonly span: Span
}

export interface ObjectSyntax {
  readonly kind: 'object'
  readonly fields: readonly FieldSyntax[]
  /** Whether some field could not be read, so that a missing field proves nothing. */
  readonly incomplete: boolean
  readonly span: Span
}
