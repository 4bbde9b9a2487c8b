import type { DeclarationSyntax, FieldSyntax, FileSyntax, NameSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import type { Declaration, Field, FileModel } from '../model.ts'
import { suggest } from '../shared/suggest.ts'
import type { Span } from '../source.ts'
import { type AnnotationBag, readAnnotations } from './read-annotations.ts'

/** A declaration that is being checked. */
export interface Entry {
  readonly scope: FileScope
  readonly syntax: DeclarationSyntax
  readonly name: string
  readonly isTable: boolean
  readonly bag: AnnotationBag
  readonly bases: Base[]
  /** The fields by name, inherited ones first. Set by `inheritFields`. */
  readonly members: Map<string, Member>
  /** The number of inherited members. */
  inherited: number
  /** True if part of it could not be parsed or found. Missing fields are not reported then. */
  incomplete: boolean
  /** The length of the longest chain of `extends`. */
  height: number
  /** Set by `resolveTypes`. */
  declaration: Declaration | undefined
}

export interface Base {
  readonly symbol: Entry | Declaration
  readonly span: Span
}

/** A field of an interface, shared by all interfaces that inherit it. */
export interface Member {
  readonly name: string
  readonly owner: string
  /** Absent for fields of files that were checked before. */
  readonly origin: { readonly entry: Entry; readonly syntax: FieldSyntax; readonly bag: AnnotationBag } | undefined
  field: Field | undefined
}

/** `broken`: its declaration or import has an error, so its uses are not reported. */
export type NamedSymbol = Entry | Declaration | 'broken'

export interface FileScope {
  readonly syntax: FileSyntax
  readonly report: Report
  readonly names: Map<string, NamedSymbol>
  readonly entries: Entry[]
}

/** A parsed file with resolved import paths. */
export interface FileToCheck {
  readonly syntax: FileSyntax
  readonly report: Report
  /** One path per import, `undefined` if the import was reported. */
  readonly imports: readonly (string | undefined)[]
}

export function isEntry(symbol: NamedSymbol): symbol is Entry {
  return symbol !== 'broken' && 'scope' in symbol
}

export function isTable(symbol: Entry | Declaration): boolean {
  return isEntry(symbol) ? symbol.isTable : symbol.kind === 'table'
}

/** Declares the names of all files, then links their imports. `known` holds the files that were checked before. */
export function createScopes(files: readonly FileToCheck[], known: ReadonlyMap<string, FileModel>): FileScope[] {
  const scopes = files.map((file) => declareNames(file))
  const byPath = new Map(scopes.map((scope) => [scope.syntax.source.path, scope]))
  for (const [index, file] of files.entries()) linkImports(scopes[index]!, file.imports, byPath, known)
  return scopes
}

const reservedTypes = new Set(
  'string number boolean decimal null undefined any unknown never object void symbol bigint true false portico'.split(
    ' ',
  ),
)
const reservedWords = new Set(
  'as break case catch class const continue debugger default delete do else enum export extends finally for function if implements import in instanceof interface let new package private protected public return static super switch this throw try typeof var while with yield await arguments eval async type infer keyof readonly unique'.split(
    ' ',
  ),
)

function declareNames({ syntax, report }: FileToCheck): FileScope {
  const scope: FileScope = { syntax, report, names: new Map(), entries: [] }
  for (const declaration of syntax.declarations) {
    const { text, span } = declaration.name
    const first = scope.names.get(text)
    if (reservedTypes.has(text) || reservedWords.has(text)) {
      report.add('reserved_name', span, text)
      scope.names.set(text, 'broken')
    } else if (first !== undefined && isEntry(first)) {
      const related = [{ source: report.source, span: first.syntax.name.span, message: 'first declared here' }]
      report.addRelated('duplicate_name', span, related, text)
    } else {
      const entry = createEntry(scope, declaration)
      scope.names.set(text, entry)
      scope.entries.push(entry)
    }
  }
  return scope
}

function createEntry(scope: FileScope, syntax: DeclarationSyntax): Entry {
  const name = syntax.name.text
  const isTable = syntax.kind === 'interface' && syntax.annotations.some((it) => it.name === 'db.table')
  const kind = syntax.kind === 'interface' ? 'interface' : 'type'
  const bag = readAnnotations(syntax.annotations, { kind, name, isTable }, scope.report)
  return {
    scope,
    syntax,
    name,
    isTable,
    bag,
    bases: [],
    members: new Map(),
    inherited: 0,
    incomplete: syntax.kind === 'interface' && syntax.body.incomplete,
    height: 0,
    declaration: undefined,
  }
}

function linkImports(
  scope: FileScope,
  paths: readonly (string | undefined)[],
  scopes: ReadonlyMap<string, FileScope>,
  known: ReadonlyMap<string, FileModel>,
): void {
  for (const [index, { names }] of scope.syntax.imports.entries()) {
    const path = paths[index]
    for (const name of names) {
      if (scope.names.has(name.text)) scope.report.add('duplicate_name', name.span, name.text)
      else if (path === undefined) scope.names.set(name.text, 'broken')
      else scope.names.set(name.text, importName(scope, name, path, scopes.get(path) ?? known.get(path)))
    }
  }
}

function importName(
  { report }: FileScope,
  { text, span }: NameSyntax,
  path: string,
  file: FileScope | FileModel | undefined,
): NamedSymbol {
  if (!file) return 'broken'
  const found = 'entries' in file ? ownEntry(file, text) : file.declarations.find((it) => it.name === text)
  if (!found) {
    if ('entries' in file && mayDeclare(file.syntax, text)) return 'broken'
    const names = ('entries' in file ? file.entries : file.declarations).map((it) => it.name)
    report.add('unknown_import', span, text, path, report.isFull ? undefined : suggest(text, names))
    return 'broken'
  }
  const exported = isEntry(found) ? found.syntax.exported : found.exported
  if (!exported) report.add('not_exported', span, text, path)
  return found
}

/** True if the name may belong to a declaration that was rejected or could not be parsed. */
function mayDeclare({ declarations, nameless, lost }: FileSyntax, name: string): boolean {
  return nameless.length > 0 || lost.has(name) || declarations.some((it) => it.name.text === name)
}

/** The declaration of a name in this file. Imported names are not re-exported. */
function ownEntry(scope: FileScope, name: string): Entry | undefined {
  const symbol = scope.names.get(name)
  return symbol !== undefined && isEntry(symbol) && symbol.scope === scope ? symbol : undefined
}
