import type { FieldSyntax } from '../2-parse/syntax.ts'
import type { Field, FieldNavigation, Type } from '../model.ts'
import { readMeta } from './annotation-values.ts'
import { reportUnknown } from './inherit.ts'
import type { AnnotationBag } from './read-annotations.ts'
import { type FileScope, isEntry, isTable } from './scope.ts'

/** Resolves a navigation field: related records of another table, without a column. */
export function resolveNavigation(
  scope: FileScope,
  syntax: FieldSyntax,
  bag: AnnotationBag,
  navigation: string,
): Field {
  for (const { name, span } of bag.all) {
    const other = name !== navigation && (name.startsWith('db.') || name.startsWith('expect.') || name === 'meta.id')
    if (other) scope.report.add('conflicting_annotations', span, navigation, name)
  }
  return {
    name: syntax.name.text,
    optional: true,
    type: recordsType(scope, syntax, navigation),
    role: 'navigation',
    key: false,
    json: false,
    writeOnly: false,
    renamedFrom: [],
    indexes: [],
    ...readNavigation(scope, bag, navigation),
    expectations: [],
    meta: readMeta(bag, syntax.doc),
  }
}

function readNavigation(scope: FileScope, bag: AnnotationBag, annotation: string): Pick<Field, 'navigation'> {
  const kind = annotation.slice('db.rel.'.length) as FieldNavigation['kind']
  const foreignKey = bag.text(annotation, kind === 'via' ? 1 : 0)
  const junction = kind === 'via' ? readJunction(scope, bag) : undefined
  return { navigation: { kind, ...(foreignKey !== undefined && { foreignKey }), ...(junction && { junction }) } }
}

function readJunction(scope: FileScope, bag: AnnotationBag): FieldNavigation['junction'] {
  const name = bag.get('db.rel.via')?.args[0]
  if (name?.kind !== 'name') return undefined
  const symbol = scope.names.get(name.value)
  if (symbol === undefined) reportUnknown(scope, { text: name.value, span: name.span })
  if (symbol === undefined || symbol === 'broken') return undefined
  if (isTable(symbol))
    return { table: symbol.name, path: isEntry(symbol) ? symbol.scope.syntax.source.path : symbol.path }
  scope.report.add('relation_type', name.span, 'db.rel.via', 'an array of a table, through a junction that is a table')
  return undefined
}

function recordsType(scope: FileScope, { type }: FieldSyntax, navigation: string): Type {
  const many = type.kind === 'array'
  const single = many ? type.element : type
  if (single.kind === 'broken') return { kind: 'unknown' }
  const name = single.kind === 'reference' && single.path.length === 1 ? single.path[0]!.text : ''
  const symbol = scope.names.get(name)
  if (name !== '' && symbol === undefined) reportUnknown(scope, { text: name, span: single.span })
  if (symbol === 'broken' || (name !== '' && symbol === undefined)) return { kind: 'unknown' }
  const fits = navigation === 'db.rel.from' || many === (navigation === 'db.rel.via')
  if (symbol === undefined || !isTable(symbol) || !fits) {
    const wanted = { 'db.rel.to': 'a table', 'db.rel.via': 'an array of a table' }[navigation]
    scope.report.add('relation_type', type.span, navigation, wanted ?? 'a table or an array of one')
    return { kind: 'unknown' }
  }
  const path = isEntry(symbol) ? symbol.scope.syntax.source.path : symbol.path
  return { kind: 'records', table: symbol.name, path, many }
}
