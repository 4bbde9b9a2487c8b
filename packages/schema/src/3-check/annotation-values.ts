import type { Report } from '../diagnostics/report.ts'
import type {
  Default,
  Expectation,
  FieldForeignKey,
  FieldIndex,
  ForeignKeyAction,
  Meta,
  Precision,
  Type,
} from '../model.ts'
import { decimalPattern } from '../runtime/decimal.ts'
import { isDate, isDateTime, isEmail, isUrl, isUuid } from '../runtime/formats.ts'
import { type AnnotationBag, describeValue, type ReadAnnotation } from './read-annotations.ts'
import { describeType } from './types.ts'

const noMeta: Meta = {}

export function readMeta(bag: AnnotationBag, doc: string | undefined): Meta {
  if (bag.all.length === 0) return doc === undefined ? noMeta : { description: doc }
  const label = bag.text('meta.label')
  const description = bag.text('meta.description') ?? doc
  const example = bag.get('meta.example')?.args[0]
  const deprecated = bag.get('meta.deprecated')
  return {
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(example && { example: example.value }),
    ...(deprecated && { deprecated: bag.text('meta.deprecated') ?? (true as const) }),
  }
}

/** The declared precision, if databases support it. */
export function readPrecision(bag: AnnotationBag, report: Report): Precision | undefined {
  const annotation = bag.get('db.column.precision')
  const precision = bag.number('db.column.precision')
  const scale = bag.number('db.column.precision', 1)
  if (!annotation || precision === undefined || scale === undefined) return undefined
  if (precision < 1 || precision > 65 || scale > 30 || scale > precision) {
    report.add('bad_precision', annotation.span)
    return undefined
  }
  if (precision > 15) report.add('precision_inexact', annotation.span, precision)
  return { precision, scale }
}

/** The default of a field. If there are two, the first is used and the second reported. */
export function readDefault(bag: AnnotationBag, type: Type, report: Report): Default | undefined {
  const found = bag.all.filter((it) => it.name === 'db.default' || it.name.startsWith('db.default.'))
  const [first, second] = found
  if (first && second) report.add('conflicting_annotations', second.span, first.name, second.name)
  if (!first) return undefined
  if (first.name === 'db.default.uuid') return { kind: 'uuid' }
  if (first.name === 'db.default.now') return { kind: 'now' }
  if (first.name === 'db.default.increment') return { kind: 'increment', start: bag.number(first.name) ?? 1 }
  return readDefaultValue(first, type, report)
}

function readDefaultValue({ args }: ReadAnnotation, type: Type, report: Report): Default | undefined {
  const [argument] = args
  if (!argument || argument.kind === 'name') return undefined
  if (fitsType(type, argument.value)) return { kind: 'value', value: argument.value }
  report.add('bad_default', argument.span, describeValue(argument), describeWanted(type, argument.value))
  return undefined
}

function describeWanted(type: Type, value: string | number | boolean): string {
  if (type.kind !== 'decimal') return describeType(type)
  const { precision } = type
  const isDecimal = typeof value === 'string' && new RegExp(decimalPattern(undefined)).test(value)
  if (!isDecimal || !precision) return `${describeType(type)}; decimals are written as strings: '1.50'`
  const before = precision.precision - precision.scale
  return `a decimal of this precision: at most ${before} digits before the point and ${precision.scale} after it`
}

const formats = { email: isEmail, uuid: isUuid, url: isUrl, date: isDate, datetime: isDateTime }

function fitsType(type: Type, value: string | number | boolean): boolean {
  switch (type.kind) {
    case 'string':
      if (typeof value !== 'string') return false
      if (type.subtype === 'required') return value !== ''
      return type.subtype === undefined || formats[type.subtype](value)
    case 'number':
      return typeof value === 'number' && (!type.integer || Number.isSafeInteger(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'decimal':
      return typeof value === 'string' && new RegExp(decimalPattern(type.precision)).test(value)
    case 'literal':
      return type.value === value
    case 'union':
      return type.members.some((it) => fitsType(it, value))
    case 'named':
      return fitsType(type.declaration.type, value)
    default:
      return type.kind === 'unknown'
  }
}

const none: readonly never[] = []

const rules = ['min', 'max', 'minLength', 'maxLength', 'pattern', 'int'] as const

export function readExpectations(bag: AnnotationBag, report: Report): readonly Expectation[] {
  if (!bag.all.some((it) => it.name.startsWith('expect.'))) return none
  checkRange(bag, 'expect.min', 'expect.max', report)
  checkRange(bag, 'expect.minLength', 'expect.maxLength', report)
  return rules.flatMap((rule): Expectation[] => {
    const annotation = bag.get(`expect.${rule}`)
    if (!annotation) return []
    const message = bag.text(annotation.name, rule === 'int' ? 0 : 1)
    const value = rule === 'int' ? true : annotation.args[0]?.value
    if (value === undefined || value === false) return []
    if (rule === 'pattern' && !checkPattern(annotation, String(value), report)) return []
    return [{ rule, value, ...(message !== undefined && { message }) }]
  })
}

function checkRange(bag: AnnotationBag, min: string, max: string, report: Report): void {
  const [low, high] = [bag.number(min), bag.number(max)]
  if (low !== undefined && high !== undefined && low > high) report.add('empty_range', bag.get(max)!.span, min, max)
}

function checkPattern({ args, span }: ReadAnnotation, pattern: string, report: Report): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch (error) {
    const reason = (error as Error).message.replace(/^.*: /s, '')
    report.add('bad_pattern', args[0]?.span ?? span, reason)
    return false
  }
}

/** The indexes that include a field. */
export function readIndexes(bag: AnnotationBag): readonly FieldIndex[] {
  if (bag.all.length === 0) return none
  return bag.all.flatMap(({ name, args }) => {
    if (name !== 'db.index.plain' && name !== 'db.index.unique') return []
    const unique = name === 'db.index.unique'
    const words = args.map((it) => String(it.value))
    const isOrder = !unique && words.length === 1 && (words[0] === 'asc' || words[0] === 'desc')
    const shared = isOrder ? undefined : words[0]
    const order = (isOrder ? words[0] : words[1]) === 'desc' ? 'desc' : 'asc'
    return [{ unique, ...(shared !== undefined && { name: shared }), order }]
  })
}

export function readForeignKey(bag: AnnotationBag, report: Report): FieldForeignKey | undefined {
  const action = bag.get('db.rel.onDelete') ?? bag.get('db.rel.onUpdate')
  if (!bag.has('db.rel.FK')) {
    if (action) report.add('needs_foreign_key', action.span, action.name)
    return undefined
  }
  const name = bag.text('db.rel.FK')
  const onDelete = bag.text('db.rel.onDelete') as ForeignKeyAction | undefined
  const onUpdate = bag.text('db.rel.onUpdate') as ForeignKeyAction | undefined
  return { ...(name !== undefined && { name }), ...(onDelete && { onDelete }), ...(onUpdate && { onUpdate }) }
}
