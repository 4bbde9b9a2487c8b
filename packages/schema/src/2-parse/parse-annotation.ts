import { readString } from '../1-lex/strings.ts'
import type { Comment } from '../1-lex/token.ts'
import { type Cursor, spanOf } from './cursor.ts'
import type { AnnotationSyntax, ArgumentSyntax } from './syntax.ts'

export interface AnnotationList {
  readonly annotations: readonly AnnotationSyntax[]
  /** The documentation comment before or between them. */
  readonly doc: Comment | undefined
}

const none: readonly never[] = []

export function parseAnnotations(cursor: Cursor): AnnotationList {
  let { doc } = cursor.token
  if (!cursor.at('annotation')) return { annotations: none, doc }
  const annotations = [parseAnnotation(cursor)]
  doc = cursor.token.doc ?? doc
  while (cursor.at('annotation')) {
    annotations.push(parseAnnotation(cursor))
    doc = cursor.token.doc ?? doc
  }
  return { annotations, doc }
}

function parseAnnotation(cursor: Cursor): AnnotationSyntax {
  const token = cursor.next()
  const args: ArgumentSyntax[] = atArgument(cursor) ? [parseArgument(cursor)] : []
  let incomplete = token.broken || token.end - token.start === 1
  while (args.length > 0 && !incomplete && cursor.take(',')) {
    if (isArgument(cursor)) args.push(parseArgument(cursor))
    else {
      cursor.reportExpectedOnLine('an argument: text, a number, `true`, `false` or a name')
      incomplete = true
    }
  }
  const paren = cursor.token
  if (paren.kind === '(' && !paren.startsLine) {
    cursor.skipBalanced()
    const inside = cursor.source.text.slice(paren.end, cursor.lastEnd() - 1).trim()
    // `@db.default now()`: the name of the call is part of the annotation's name here.
    const called = args.at(-1)
    const name = `${cursor.textOf(token)}${called?.kind === 'name' && inside === '' ? `.${called.value}` : ''}`
    cursor.report.add('annotation_parentheses', spanOf(paren), `${name} ${inside}`.trim())
    incomplete = true
  }
  return { name: token.broken ? '' : cursor.textOf(token).slice(1), span: spanOf(token), args, incomplete }
}

/** The first argument must be on the annotation's line. A name on the next line belongs to the declaration or field. */
function atArgument(cursor: Cursor): boolean {
  return !cursor.token.startsLine && isArgument(cursor)
}

function isArgument(cursor: Cursor): boolean {
  const { kind } = cursor.token
  if (kind === 'string' || kind === 'number') return true
  return kind === 'name' && !startsField(cursor) && !startsDeclaration(cursor)
}

/** `@meta.id id: number`: the name belongs to a field and is not an argument. */
function startsField(cursor: Cursor): boolean {
  const after = cursor.peek(1).kind
  return after === ':' || (after === '?' && cursor.peek(2).kind === ':')
}

/** `@db.table export interface User`: the word belongs to the declaration. */
function startsDeclaration(cursor: Cursor): boolean {
  const word = cursor.textOf(cursor.token)
  return (word === 'export' || word === 'interface' || word === 'type') && cursor.peek(1).kind === 'name'
}

function parseArgument(cursor: Cursor): ArgumentSyntax {
  const token = cursor.next()
  const span = spanOf(token)
  const text = cursor.textOf(token)
  if (token.kind === 'string') return { kind: 'string', value: readString(text), span }
  if (token.kind === 'number') return { kind: 'number', value: Number(text), span }
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', span }
  return { kind: 'name', value: text, span }
}
