import { annotationMessages } from './messages/annotations.ts'
import { nameMessages } from './messages/names.ts'
import { relationMessages } from './messages/relations.ts'
import { syntaxMessages } from './messages/syntax.ts'
import { tableMessages } from './messages/tables.ts'
import type { Severity, Wording } from './messages/wording.ts'

export type { Severity, Wording } from './messages/wording.ts'

interface Message {
  readonly severity: Severity
  /** One sentence for the reference page: when this is reported. */
  readonly about: string
  readonly text: (...args: never[]) => Wording
}

type Messages = typeof syntaxMessages &
  typeof nameMessages &
  typeof annotationMessages &
  typeof tableMessages &
  typeof relationMessages

/** The code of a diagnostic. */
export type DiagnosticCode = keyof Messages

/** Every diagnostic of the language by its code. Codes are stable; wording may change. */
export const messages: Messages = {
  ...syntaxMessages,
  ...nameMessages,
  ...annotationMessages,
  ...tableMessages,
  ...relationMessages,
} satisfies Record<DiagnosticCode, Message>
