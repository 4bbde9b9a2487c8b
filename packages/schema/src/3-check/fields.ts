import type { FieldSyntax, TypeSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import type { Field, FieldReference, Type } from '../model.ts'
import type { FieldFit } from './annotation-specs.ts'
import {
  readDefault,
  readExpectations,
  readForeignKey,
  readIndexes,
  readMeta,
  readPrecision,
} from './annotation-values.ts'
import { resolveNavigation } from './navigation.ts'
import { AnnotationBag } from './read-annotations.ts'
import type { FileScope } from './scope.ts'
import {
  allowsNull,
  asInteger,
  asKey,
  describeType,
  hasKind,
  isScalar,
  kindOf,
  numberTypeOf,
  withPrecision,
} from './types.ts'

/** Resolves the types inside a field. */
export interface TypeResolver {
  resolveType(type: TypeSyntax, scope: FileScope): Type
  /** The field that a type such as `Team.id` refers to, directly or through an alias. */
  referenceOf(type: TypeSyntax, scope: FileScope): FieldReference | undefined
}

const navigations = ['db.rel.to', 'db.rel.from', 'db.rel.via'] as const

/** Resolves the type and annotations of a field and checks that they match. `owner` is absent in nested objects. */
export function resolveField(
  resolver: TypeResolver,
  scope: FileScope,
  syntax: FieldSyntax,
  annotations: AnnotationBag,
  owner: string | undefined,
): Field {
  if (annotations.all.length === 0) return resolvePlain(resolver, scope, syntax)
  const { report } = scope
  const navigation = annotations.all.find((it) => navigations.includes(it.name as (typeof navigations)[number]))
  if (navigation) return resolveNavigation(scope, syntax, annotations, navigation.name)
  const written = resolver.resolveType(syntax.type, scope)
  const bag = fittingAnnotations(annotations, written, report)
  const key = bag.has('meta.id') && checkKey(syntax, bag, written, owner, report)
  const type = refineType(written, bag, key, report)
  const field = startField(syntax, type)
  if (bag.has('db.ignore')) field.role = 'ignored'
  field.key = key
  field.json = bag.has('db.json')
  field.writeOnly = bag.has('db.writeOnly')
  field.indexes = readIndexes(bag)
  field.expectations = readExpectations(bag, report)
  field.meta = readMeta(bag, syntax.doc)
  linkField(field, resolver, scope, syntax)
  if (checkVersion(bag, report)) field.generated = 'version'
  readStorage(field, bag, report)
  return field
}

/** A shortcut for fields without annotations. */
function resolvePlain(resolver: TypeResolver, scope: FileScope, syntax: FieldSyntax): Field {
  const field = startField(syntax, resolver.resolveType(syntax.type, scope))
  linkField(field, resolver, scope, syntax)
  return field
}

const none: readonly never[] = []

function startField({ name, optional, doc }: FieldSyntax, type: Type): Mutable<Field> {
  return {
    name: name.text,
    optional,
    type,
    role: 'stored',
    key: false,
    json: false,
    writeOnly: false,
    renamedFrom: none,
    indexes: none,
    expectations: none,
    meta: readMeta(AnnotationBag.empty, doc),
  }
}

/** Adds what follows from the type: a generated timestamp, or the referenced field. */
function linkField(field: Mutable<Field>, resolver: TypeResolver, scope: FileScope, syntax: FieldSyntax): void {
  const subtype = numberTypeOf(field.type)?.subtype
  if (subtype === 'timestamp.created') field.generated = 'created'
  else if (subtype === 'timestamp.updated') field.generated = 'updated'
  const reference = resolver.referenceOf(syntax.type, scope)
  if (reference) field.reference = reference
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function readStorage(field: Mutable<Field>, bag: AnnotationBag, report: Report): void {
  const columnName = bag.text('db.column')
  if (columnName !== undefined) field.columnName = columnName
  field.renamedFrom = bag.every('db.column.renamed').map((it) => String(it.args[0]?.value))
  const value = readDefault(bag, field.type, report)
  if (value) field.default = value
  const foreignKey = readForeignKey(bag, report)
  if (foreignKey) field.foreignKey = foreignKey
}

/** Applies annotations to the type: decimal precision, and whole numbers for keys and auto-increment. */
function refineType(written: Type, bag: AnnotationBag, key: boolean, report: Report): Type {
  const precision = readPrecision(bag, report)
  const precise = precision ? withPrecision(written, precision) : written
  const numeric = bag.has('db.default.increment') ? asInteger(precise) : precise
  return key ? asKey(numeric) : numeric
}

function fittingAnnotations(bag: AnnotationBag, type: Type, report: Report): AnnotationBag {
  const fitting = bag.all.filter(({ name, spec, span }) => {
    if (!spec.fits || fits(spec.fits, type)) return true
    report.add('wrong_field_type', span, name, `${article(spec.fits)} field`, describeType(type))
    return false
  })
  return fitting.length === bag.all.length ? bag : new AnnotationBag(fitting)
}

function article(fit: FieldFit): string {
  return fit === 'scalar' ? 'a plain' : `${/^[aeiou]/.test(fit) ? 'an' : 'a'} ${fit}`
}

function fits(fit: FieldFit, type: Type): boolean {
  const kind = kindOf(type)
  if (kind === 'unknown' || (kind === 'mixed' && hasKind(type, 'unknown'))) return true
  if (fit === 'scalar') return isScalar(type)
  if (fit === 'object or array') return kind === 'object' || kind === 'array' || kind === 'mixed'
  if (fit === 'string or array') return kind === 'string' || kind === 'array'
  if (fit === 'timestamp') return numberTypeOf(type)?.subtype?.startsWith('timestamp') === true
  if (fit === 'number.int') return numberTypeOf(type)?.subtype === 'int'
  return kind === fit
}

function checkKey(
  syntax: FieldSyntax,
  bag: AnnotationBag,
  type: Type,
  owner: string | undefined,
  report: Report,
): boolean {
  const { span } = bag.get('meta.id')!
  const ignore = bag.get('db.ignore')
  const name = syntax.name.text
  if (ignore) {
    const [first, second] = ignore.span.start < span.start ? [ignore.span, span] : [span, ignore.span]
    const related = [{ source: report.source, span: first, message: 'the other annotation' }]
    report.addRelated('ignored_key', second, related, owner ?? 'a nested object', name)
    return false
  }
  if (bag.has('db.writeOnly')) report.add('write_only_key', bag.get('db.writeOnly')!.span, name)
  const problem = keyProblem(syntax, type)
  if (problem) report.add('bad_key', syntax.name.span, name, problem)
  return !problem
}

function keyProblem(syntax: FieldSyntax, type: Type): string | undefined {
  if (syntax.optional) return 'optional'
  if (hasKind(type, 'array')) return 'an array'
  if (hasKind(type, 'object')) return 'an object'
  return allowsNull(type) ? 'null' : undefined
}

function checkVersion(bag: AnnotationBag, report: Report): boolean {
  const version = bag.get('db.column.version')
  const preset = bag.all.find((it) => it.name === 'db.default' || it.name.startsWith('db.default.'))
  if (version && preset) report.add('conflicting_annotations', preset.span, version.name, preset.name)
  return version !== undefined
}
