import type { AnnotationSyntax, DeclarationSyntax, FieldSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import type { Span } from '../source.ts'
import { differOnlyInCase, flatName, foldName } from './names.ts'
import { objectSyntaxOf, type PlacedTable } from './tables.ts'

/** An index, foreign key or table with its physical name. */
interface Named {
  readonly what: 'index' | 'foreign key' | 'table'
  readonly name: string
  /** The first column; absent for a table. */
  readonly column?: string
  readonly owner: PlacedTable
  readonly span: Span
}

const articles = { index: 'an index', 'foreign key': 'a foreign key', table: 'a table' } as const

/**
 * Finds duplicate names of indexes and foreign keys. PostgreSQL and SQLite share one namespace for indexes and tables;
 * MySQL has one for the foreign keys of all tables.
 */
export class ConstraintNames {
  readonly #relations = new Map<string, Named>()
  readonly #foreignKeys = new Map<string, Named>()

  constructor(tables: Iterable<PlacedTable>) {
    for (const owner of tables)
      this.#relations.set(foldName(flatName(owner.table)), {
        what: 'table',
        name: owner.table.table,
        owner,
        span: owner.place.span,
      })
  }

  /** Adds the names of a table and reports those that are taken. */
  check(owner: PlacedTable, report: Report): void {
    const { table, syntax } = owner
    for (const { name, columns } of table.indexes) {
      const { path, column } = columns[0]!
      const span = spanOf(syntax, path, 'db.index.')
      this.#add(this.#relations, { what: 'index', name, column, owner, span }, report)
    }
    for (const { constraint: name, paths, columns } of table.foreignKeys) {
      const span = spanOf(syntax, paths[0]!, 'db.rel.FK')
      this.#add(this.#foreignKeys, { what: 'foreign key', name, column: columns[0]!, owner, span }, report)
    }
  }

  #add(names: Map<string, Named>, named: Named, report: Report): void {
    const { what, name, owner, span } = named
    const folded = foldName(flatName({ ...owner.table, table: name }))
    const first = names.get(folded)
    if (!first) names.set(folded, named)
    else if (!isReported(first, named)) {
      const related = [
        { source: first.owner.place.source, span: first.span, message: `the ${first.what} of that name` },
      ]
      report.addRelated('duplicate_constraint', span, related, what, name, articles[first.what], first.name)
    }
  }
}

/** True if the names collide because the columns or tables do, which is reported already. */
function isReported(first: Named, second: Named): boolean {
  if (first.owner === second.owner) return differOnlyInCase(first.column ?? '', second.column ?? '')
  return foldName(flatName(first.owner.table)) === foldName(flatName(second.owner.table))
}

/** The span of the annotation on a table's own field. For an inherited field: the name of the table. */
function spanOf(declaration: DeclarationSyntax, path: string, annotation: string): Span {
  const field = findField(declaration, path)
  const isWanted = ({ name }: AnnotationSyntax): boolean => name.startsWith(annotation)
  return field?.annotations.find(isWanted)?.span ?? field?.name.span ?? declaration.name.span
}

function findField(declaration: DeclarationSyntax, path: string): FieldSyntax | undefined {
  let object = declaration.kind === 'interface' ? declaration.body : undefined
  let field: FieldSyntax | undefined
  for (const name of path.split('.')) {
    field = object?.fields.find((it) => it.name.text === name)
    object = objectSyntaxOf(field?.type)
  }
  return field
}
