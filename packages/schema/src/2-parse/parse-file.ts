import { lex } from '../1-lex/lexer.ts'
import { readString } from '../1-lex/strings.ts'
import type { Report } from '../diagnostics/report.ts'
import { suggest } from '../shared/suggest.ts'
import { Cursor, spanOf } from './cursor.ts'
import { type AnnotationList, parseAnnotations } from './parse-annotation.ts'
import { parseObject, parseType } from './parse-type.ts'
import type {
  AliasSyntax,
  DeclarationSyntax,
  FileSyntax,
  ImportSyntax,
  InterfaceSyntax,
  NameSyntax,
  TypeSyntax,
} from './syntax.ts'

export interface ParsedFile {
  readonly syntax: FileSyntax
  /** The number of tokens the parser looked at. */
  readonly steps: number
}

/** Parses a whole file. Text that cannot be parsed is reported once and skipped, and parsing goes on after it. */
export function parseFile(report: Report): ParsedFile {
  const { source } = report
  const cursor = new Cursor(source, lex(source.text, report), report)
  const imports: ImportSyntax[] = []
  const declarations: DeclarationSyntax[] = []
  while (!cursor.at('end')) parseItem(cursor, imports, declarations)
  const { nameless, lost, steps } = cursor
  return { syntax: { source, imports, declarations, nameless, lost }, steps }
}

function parseItem(cursor: Cursor, imports: ImportSyntax[], declarations: DeclarationSyntax[]): void {
  const before = cursor.taken
  const annotated = parseAnnotations(cursor)
  const item = cursor.atWord('import') ? parseImport(cursor, annotated) : parseDeclaration(cursor, annotated)
  if (item === 'nameless') return
  if (!item) {
    // Always consume a token, or the loop would never end.
    if (cursor.taken === before) cursor.next()
    cursor.skipItem(before)
  } else if ('from' in item) imports.push(item)
  else declarations.push(item)
}

function parseImport(cursor: Cursor, { annotations }: AnnotationList): ImportSyntax | undefined {
  const stray = annotations.at(-1)
  if (stray) cursor.report.add('stray_annotation', stray.span, stray.name, 'declaration')
  const start = cursor.next().start
  if (!cursor.expect('{', '`{` and the names to import')) return undefined
  const names: NameSyntax[] = []
  while (!cursor.at('}')) {
    const name = cursor.expectName('a name to import')
    if (!name) return undefined
    names.push(name)
    if (!cursor.take(',') && !cursor.at('}')) {
      cursor.reportExpected('`,` or `}` after an imported name')
      return undefined
    }
  }
  cursor.next()
  if (!cursor.atWord('from')) {
    cursor.reportExpected('`from` and the path of a schema file')
    return undefined
  }
  cursor.next()
  const path = cursor.expect('string', "the path of a schema file, such as `'./teams'`")
  cursor.take(';')
  if (!path) return undefined
  const from = { value: readString(cursor.textOf(path)), span: spanOf(path) }
  return { names, from, span: { start, end: path.end } }
}

/** `nameless`: parsed completely, but kept separate because nothing can refer to it. */
type Parsed<T> = T | 'nameless' | undefined

function parseDeclaration(cursor: Cursor, annotated: AnnotationList): Parsed<DeclarationSyntax> {
  const start = cursor.token.start
  const exported = cursor.atWord('export')
  if (exported) cursor.next()
  const word = readKeyword(cursor, annotated)
  if (word === 'interface') return parseInterface(cursor, annotated, exported, start)
  if (word === 'type') return parseAlias(cursor, annotated, exported, start)
  return undefined
}

/** Reports a misspelled keyword and goes on with the one that was most likely meant. */
function readKeyword(cursor: Cursor, { annotations }: AnnotationList): 'interface' | 'type' | undefined {
  const token = cursor.token
  const text = token.kind === 'name' ? cursor.textOf(token) : ''
  if ((text === 'interface' || text === 'type') && cursor.next()) return text
  const last = annotations.at(-1)
  if (last && (token.kind === 'end' || cursor.atWord('import'))) {
    cursor.report.add('stray_annotation', last.span, last.name, 'declaration')
    return undefined
  }
  const meant = cursor.peek(1).kind === 'name' ? suggestKeyword(text) : undefined
  const hint = text === 'enum' ? `write \`type ${nameAfter(cursor)} = 'a' | 'b'\`` : undefined
  if (!token.afterStray)
    cursor.report.add('expected_declaration', cursor.placeOf(token), cursor.describe(token), meant, hint)
  if (meant === undefined) return undefined
  cursor.next()
  return meant as 'interface' | 'type'
}

function suggestKeyword(word: string): string | undefined {
  return word === 'class' ? 'interface' : suggest(word, ['interface', 'type'])
}

function nameAfter(cursor: Cursor): string {
  const token = cursor.peek(1)
  return token.kind === 'name' ? cursor.textOf(token).slice(0, 60) : 'Role'
}

function parseInterface(
  cursor: Cursor,
  { annotations, doc }: AnnotationList,
  exported: boolean,
  start: number,
): Parsed<InterfaceSyntax> {
  const name = expectDeclaredName(cursor, 'the name of the interface')
  if (!name) return cursor.at('{') ? keepNameless(cursor, parseObject(cursor)) : loseNameless(cursor)
  const bases = cursor.atWord('extends') ? parseBases(cursor) : []
  if (!bases) return undefined
  if (!cursor.at('{')) {
    cursor.reportExpected(`\`{\` and the fields of \`${name.text}\``)
    return undefined
  }
  const body = parseObject(cursor)
  const span = { start, end: cursor.lastEnd() }
  return { kind: 'interface', annotations, doc: cursor.docOf(doc), name, exported, bases, body, span }
}

function expectDeclaredName(cursor: Cursor, what: string): NameSyntax | undefined {
  const { broken } = cursor.token
  const name = cursor.expectName(what)
  // In `List<T>` neither `List` nor `T` can be resolved, so their uses are not reported.
  if (name && broken) for (const word of name.text.split(/[^\w$]+/)) cursor.lost.add(word)
  return name
}

function keepNameless(cursor: Cursor, type: TypeSyntax): 'nameless' {
  cursor.nameless.push(type)
  return 'nameless'
}

function loseNameless(cursor: Cursor): undefined {
  cursor.nameless.push({ kind: 'broken', span: cursor.placeOf(cursor.token) })
}

function parseBases(cursor: Cursor): NameSyntax[] | undefined {
  const bases: NameSyntax[] = []
  do {
    cursor.next()
    const base = cursor.expectName('the name of an interface to extend')
    if (!base) return undefined
    bases.push(base)
  } while (cursor.at(','))
  return bases
}

function parseAlias(
  cursor: Cursor,
  { annotations, doc }: AnnotationList,
  exported: boolean,
  start: number,
): Parsed<AliasSyntax> {
  const name = expectDeclaredName(cursor, 'the name of the type')
  if (!name) return cursor.take('=') ? keepNameless(cursor, parseAliased(cursor)) : loseNameless(cursor)
  if (!cursor.expect('=', `\`=\` and the type of \`${name.text}\``)) return undefined
  const type = parseAliased(cursor)
  const span = { start, end: cursor.lastEnd() }
  return { kind: 'alias', annotations, doc: cursor.docOf(doc), name, exported, type, span }
}

function parseAliased(cursor: Cursor): TypeSyntax {
  const type = parseType(cursor)
  if (type.kind === 'broken') cursor.skipItem(cursor.taken)
  cursor.take(';')
  return type
}
