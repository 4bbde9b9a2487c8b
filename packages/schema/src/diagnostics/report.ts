import type { Place, Position, SourceFile, Span } from '../source.ts'
import { type DiagnosticCode, messages, type Severity, type Wording } from './messages.ts'

/** A second location of a problem, such as the first of two equal names. */
export interface RelatedPlace {
  readonly path: string
  readonly span: Span
  readonly start: Position
  readonly message: string
}

/** One problem in a schema. Branch on `code`, never on `message`. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  readonly message: string
  /** A suggested fix, if known. */
  readonly hint?: string | undefined
  readonly path: string
  readonly span: Span
  readonly start: Position
  readonly end: Position
  readonly related: readonly RelatedPlace[]
}

/** The arguments of a code's message. */
export type MessageArguments<C extends DiagnosticCode> = Parameters<(typeof messages)[C]['text']>

export type Related = Place & { readonly message: string }

/** Problems listed per file. Further ones are counted only. */
const MAX_PROBLEMS = 500

/** Collects the problems of one file. */
export class Report {
  readonly source: SourceFile
  readonly #found: Diagnostic[] = []
  #errors = 0

  constructor(source: SourceFile) {
    this.source = source
  }

  get failed(): boolean {
    return this.#errors > 0
  }

  /** True once further problems are only counted. Suggestions for them need not be computed. */
  get isFull(): boolean {
    return this.#found.length > MAX_PROBLEMS
  }

  add<C extends DiagnosticCode>(code: C, span: Span, ...args: MessageArguments<C>): void {
    this.addRelated(code, span, [], ...args)
  }

  addRelated<C extends DiagnosticCode>(
    code: C,
    span: Span,
    related: readonly Related[],
    ...args: MessageArguments<C>
  ): void {
    const { severity, text } = messages[code]
    if (severity === 'error') this.#errors += 1
    if (this.isFull) return
    if (this.#found.length === MAX_PROBLEMS)
      this.#push('too_many_problems', 'error', span, [], messages.too_many_problems.text())
    else this.#push(code, severity, span, related, (text as (...args: unknown[]) => Wording)(...args))
  }

  /** The problems of all phases in source order. */
  list(): Diagnostic[] {
    return this.#found.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  }

  #push(code: DiagnosticCode, severity: Severity, span: Span, related: readonly Related[], wording: Wording): void {
    const [message, hint] = typeof wording === 'string' ? [wording, undefined] : wording
    this.#found.push({
      code,
      severity,
      message,
      hint,
      path: this.source.path,
      span,
      start: this.source.positionAt(span.start),
      end: this.source.positionAt(span.end),
      related: related.map((it) => ({
        path: it.source.path,
        span: it.span,
        start: it.source.positionAt(it.span.start),
        message: it.message,
      })),
    })
  }
}
