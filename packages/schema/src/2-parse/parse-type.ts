import { quote, readString } from '../1-lex/strings.ts'
import { joinSpans } from '../source.ts'
import { type Cursor, MAX_DEPTH, spanOf } from './cursor.ts'
import { parseAnnotations } from './parse-annotation.ts'
import type { FieldSyntax, LiteralValue, NameSyntax, ObjectSyntax, TypeSyntax } from './syntax.ts'

const expectedType = "a type, such as `string`, `number.int`, `'text'`, `Team.id` or `{ … }`"
const indexSignatureHint =
  'index signatures are not supported: name the fields, or write `@db.json` and `entries: { key: string, value: string }[]`'
const literals = new Map<string, LiteralValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Parses a union of one or more types. A leading `|` is allowed. */
export function parseType(cursor: Cursor): TypeSyntax {
  const { start } = cursor.token
  if (cursor.token.kind === '|') cursor.next()
  const first = parseArray(cursor)
  if (cursor.token.kind !== '|') return first
  const members = [first]
  while (cursor.take('|')) members.push(parseArray(cursor))
  return { kind: 'union', members, span: { start, end: cursor.lastEnd() } }
}

function parseArray(cursor: Cursor): TypeSyntax {
  let type = parsePrimary(cursor)
  if (type.kind === 'broken') return type
  for (let level = 1; cursor.token.kind === '[' && !atIndexSignature(cursor); level++) {
    const open = cursor.next()
    if (!cursor.take(']')) {
      cursor.reportExpectedOnLine('`]`')
      return { kind: 'broken', span: type.span }
    }
    if (level + cursor.depth === MAX_DEPTH) cursor.report.add('nesting_too_deep', spanOf(open), MAX_DEPTH)
    if (level + cursor.depth >= MAX_DEPTH) type = { kind: 'broken', span: type.span }
    else type = { kind: 'array', element: type, span: { start: type.span.start, end: cursor.lastEnd() } }
  }
  return type
}

/** `[key: string]: …` on a new line does not continue the type above it. */
function atIndexSignature(cursor: Cursor): boolean {
  return cursor.token.startsLine && cursor.peek(1).kind === 'name'
}

function parsePrimary(cursor: Cursor): TypeSyntax {
  const { token } = cursor
  switch (token.kind) {
    case 'name':
      // A name and a colon on a new line is the next field: this one lacks its type.
      if (token.startsLine && (startsField(cursor) || cursor.atDeclaration())) break
      return parseReference(cursor)
    case 'string':
      return { kind: 'literal', value: readString(cursor.textOf(cursor.next())), span: spanOf(token) }
    case 'number':
      return parseNumber(cursor)
    case '{':
      return cursor.depth < MAX_DEPTH ? parseObject(cursor) : skipTooDeep(cursor)
    case '(':
      return parseParenthesized(cursor)
    case '[':
      cursor.reportExpected(
        expectedType,
        'tuples are not supported: write `T[]` for an array, or an object with named fields',
      )
      return { kind: 'broken', span: spanOf(token) }
  }
  cursor.reportExpectedOnLine(expectedType)
  return { kind: 'broken', span: cursor.placeOf(token) }
}

function parseNumber(cursor: Cursor): TypeSyntax {
  const token = cursor.next()
  const value = Number(cursor.textOf(token))
  return Number.isFinite(value)
    ? { kind: 'literal', value, span: spanOf(token) }
    : { kind: 'broken', span: spanOf(token) }
}

function parseReference(cursor: Cursor): TypeSyntax {
  const token = cursor.next()
  const first = cursor.nameOf(token)
  if (token.broken) return { kind: 'broken', span: first.span }
  const literal = literals.get(first.text)
  if (literal !== undefined) return { kind: 'literal', value: literal, span: first.span }
  const path: NameSyntax[] = [first]
  while (cursor.take('.')) {
    // A name on the next line belongs to the next field.
    if (cursor.token.startsLine) cursor.reportExpectedOnLine('a name after `.`')
    const name = cursor.token.startsLine ? undefined : cursor.expectName('a name after `.`')
    if (!name) return { kind: 'broken', span: first.span }
    path.push(name)
  }
  const after = cursor.token
  if (after.kind === '(' && !after.startsLine) {
    cursor.reportExpected('a new line or `,` after the type', hintForSize(cursor, first.text, after.end))
    return { kind: 'broken', span: first.span }
  }
  return { kind: 'reference', path, span: path.length === 1 ? first.span : joinSpans(first.span, path.at(-1)!.span) }
}

/** `decimal(10, 2)` and `varchar(80)` are SQL. Here sizes are annotations. */
function hintForSize(cursor: Cursor, name: string, start: number): string | undefined {
  const [, size, scale] = /^ *(\d{1,9}) *(?:, *(\d{1,9}) *)?\)/.exec(cursor.source.text.slice(start, start + 40)) ?? []
  if (size === undefined) return undefined
  if (/^(decimal|numeric)$/i.test(name)) return `write \`@db.column.precision ${size}, ${scale ?? 0}\` before the field`
  return scale === undefined ? `write \`@expect.maxLength ${size}\` before the field` : undefined
}

function parseParenthesized(cursor: Cursor): TypeSyntax {
  const open = cursor.token
  if (cursor.depth >= MAX_DEPTH) return skipTooDeep(cursor)
  cursor.next()
  cursor.depth += 1
  const type = parseType(cursor)
  cursor.depth -= 1
  const closed = type.kind === 'broken' ? cursor.take(')') : cursor.expect(')', '`)`')
  if (!closed) return { kind: 'broken', span: spanOf(open) }
  return type
}

export function parseObject(cursor: Cursor): ObjectSyntax {
  const open = cursor.next()
  cursor.depth += 1
  const { fields, incomplete } = parseFields(cursor)
  cursor.depth -= 1
  const closed = cursor.take('}')
  if (!closed) reportUnclosed(cursor, spanOf(open))
  return {
    kind: 'object',
    fields,
    incomplete: incomplete || !closed,
    span: { start: open.start, end: cursor.lastEnd() },
  }
}

/** Reports a missing brace once, however many objects are still open. */
function reportUnclosed(cursor: Cursor, open: { start: number; end: number }): void {
  if (cursor.unclosedAt === cursor.lastEnd()) return
  cursor.unclosedAt = cursor.lastEnd()
  const place = cursor.placeOf(cursor.token)
  const related = [{ source: cursor.source, span: open, message: 'the object opens here' }]
  cursor.report.addRelated('missing_brace', place, related, cursor.describe(cursor.token))
}

function parseFields(cursor: Cursor): { fields: FieldSyntax[]; incomplete: boolean } {
  const fields: FieldSyntax[] = []
  let incomplete = false
  while (!cursor.at('}') && !cursor.atDeclaration()) {
    const field = parseField(cursor)
    if (field) fields.push(field)
    else {
      incomplete = true
      cursor.skipField()
    }
    parseSeparator(cursor, field !== undefined)
  }
  return { fields, incomplete }
}

function parseSeparator(cursor: Cursor, wanted: boolean): void {
  const { token } = cursor
  if (token.kind === ',' || token.kind === ';') cursor.next()
  else if (wanted && !token.startsLine && token.kind !== '}' && token.kind !== 'end') reportNoSeparator(cursor)
}

function reportNoSeparator(cursor: Cursor): void {
  const { token } = cursor
  const startsAnother = token.kind === 'annotation' || (token.kind === 'name' && startsField(cursor))
  if (startsAnother) cursor.report.add('missing_separator', spanOf(token), cursor.describe(token))
  else {
    cursor.reportExpected(
      'a new line or `,` after the field',
      token.kind === '=' ? hintForInitializer(cursor) : undefined,
    )
    cursor.skipField()
    if (!cursor.take(',')) cursor.take(';')
  }
}

/** `a: string = 'x'` is a class initializer. Here defaults are annotations. */
function hintForInitializer(cursor: Cursor): string {
  const token = cursor.peek(1)
  const text = cursor.textOf(token)
  const isLiteral = token.kind === 'number' || token.kind === 'string' || text === 'true' || text === 'false'
  if (!isLiteral || text.length > 40) return 'write the default as an annotation before the field: `@db.default`'
  return `write \`@db.default ${token.kind === 'string' ? quote(readString(text)) : text}\` before the field`
}

function parseField(cursor: Cursor): FieldSyntax | undefined {
  const { annotations, doc } = parseAnnotations(cursor)
  const last = annotations.at(-1)
  if (last && (cursor.at('}') || cursor.atDeclaration())) {
    cursor.report.add('stray_annotation', last.span, last.name, 'field')
    return undefined
  }
  if (cursor.atWord('readonly') && cursor.peek(1).kind === 'name' && !cursor.peek(1).startsLine) {
    cursor.reportExpected('a field name', 'remove `readonly`')
    cursor.next()
  }
  if (cursor.token.kind !== 'name') {
    cursor.reportExpected('a field name', cursor.at('[') ? indexSignatureHint : undefined)
    return undefined
  }
  const name = cursor.nameOf(cursor.next())
  const optional = cursor.take('?') !== undefined
  if (!cursor.take(':')) {
    cursor.reportExpectedOnLine(`\`:\` and a type after the field name \`${name.text}\``)
    const { startsLine, afterStray } = cursor.token
    if (startsLine || afterStray || !cursor.at('name')) return undefined
  }
  const type = parseType(cursor)
  if (type.kind === 'broken' && !cursor.at('}') && !cursor.token.startsLine) cursor.skipField()
  return {
    annotations,
    doc: cursor.docOf(doc),
    name,
    optional,
    type,
    span: { start: (annotations[0] ?? name).span.start, end: cursor.lastEnd() },
  }
}

function startsField(cursor: Cursor): boolean {
  const after = cursor.peek(1).kind
  return after === ':' || (after === '?' && cursor.peek(2).kind === ':')
}

function skipTooDeep(cursor: Cursor): TypeSyntax {
  const span = spanOf(cursor.token)
  cursor.report.add('nesting_too_deep', span, MAX_DEPTH)
  cursor.skipBalanced()
  return { kind: 'broken', span }
}
