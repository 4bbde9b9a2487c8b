import type { Place, Position, SourceFile, Span } from '../source.ts'
import { type DiagnosticCode, messages, type Severity, type Wording } from './messages.ts'

/** Another place that belongs to a problem, such as the first of two equal names. */
export interface RelatedPlace {
  readonly path: string
  readonly span: Span
  readonly start: Position
  readonly message: string
}

/** One problem of a schema: what is wrong, where, and what would mend it. Branch on `code`, never on `message`. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  readonly message: string
  /** What would mend it, where that is known. */
  readonly hint?: string
  readonly path: string
  readonly span: Span
  readonly start: Position
  readonly end: Position
  readonly related: readonly RelatedPlace[]
}

/** The arguments that the wording of a code takes. */
export type MessageArguments<C extends DiagnosticCode> = Parameters<(typeof messages)[C]['text']>

/** A related place as the phases give it. */
export type Related = Place & { readonly message: string }

/** After this many problems of one file the rest are counted, not listed. */
export const MOST_PROBLEMS = 500

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

  /** Whether further problems are counted alone, so that nobody will read what they might have suggested. */
  get isFull(): boolean {
    return this.#found.length > MOST_PROBLEMS
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
    if (this.#found.length === MOST_PROBLEMS)
      this.#push('too_many_problems', 'error', span, [], messages.too_many_problems.text())
    else this.#push(code, severity, span, related, (text as (...args: unknown[]) => Wording)(...args))
  }

  /** The problems in the order of the text, so that every phase's findings read as one list. */
  list(): Diagnostic[] {
    return this.#found.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  }

  #push(code: DiagnosticCode, severity: Severity, span: Span, related: readonly Related[], wording: Wording): void {
    const [message, hint] = typeof wording === 'string' ? [wording, undefined] : wording
    this.#found.push({
      code,
      severity,
      message,
      ...(hint !== undefined && { hint }),
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
