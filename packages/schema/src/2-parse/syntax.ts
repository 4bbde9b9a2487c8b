import type { SourceFile, Span } from '../source.ts'

/** The syntax tree of one file. Every node has its span; nothing is resolved or checked yet. */
export interface FileSyntax {
  readonly source: SourceFile
  readonly imports: readonly ImportSyntax[]
  readonly declarations: readonly DeclarationSyntax[]
  /** Names in skipped top-level text. They may be declared there, so they are not reported as unknown. */
  readonly lost: ReadonlySet<string>
  /** The types of declarations without a name. Each may be the one that an unknown name refers to. */
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

interface StringSyntax {
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
  /** True if its arguments could not be parsed. Their number is not checked then. */
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
  /** A type that could not be parsed; reported already. */
  | { readonly kind: 'broken'; readonly span: Span }

export interface UnionSyntax {
  readonly kind: 'union'
  readonly members: readonly TypeSyntax[]
  readonly span: Span
}

export interface ObjectSyntax {
  readonly kind: 'object'
  readonly fields: readonly FieldSyntax[]
  /** True if some field could not be parsed. Missing fields are not reported then. */
  readonly incomplete: boolean
  readonly span: Span
}
