import type { AnnotationSyntax, ArgumentSyntax } from '../2-parse/syntax.ts'
import type { Report } from '../diagnostics/report.ts'
import { suggest } from '../shared/suggest.ts'
import type { Span } from '../source.ts'
import { type AnnotationSpec, type ArgumentSpec, annotationSpecs } from './annotation-specs.ts'
import { meantAnnotations } from './familiar-names.ts'

/** An annotation whose arguments match its spec. */
export interface ReadAnnotation {
  readonly name: string
  readonly spec: AnnotationSpec
  readonly span: Span
  readonly args: readonly ArgumentSyntax[]
}

/** The annotations of one declaration or field. */
export class AnnotationBag {
  static readonly empty: AnnotationBag = new AnnotationBag([])
  readonly all: readonly ReadAnnotation[]

  constructor(all: readonly ReadAnnotation[]) {
    this.all = all
  }

  get(name: string): ReadAnnotation | undefined {
    // A hot path: a loop avoids allocating a closure per lookup.
    for (let index = 0; index < this.all.length; index++) if (this.all[index]!.name === name) return this.all[index]
    return undefined
  }

  every(name: string): readonly ReadAnnotation[] {
    if (this.all.length === 0) return this.all
    return this.all.filter((it) => it.name === name)
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  text(name: string, index = 0): string | undefined {
    const value = this.get(name)?.args[index]?.value
    return typeof value === 'string' ? value : undefined
  }

  number(name: string, index = 0): number | undefined {
    const value = this.get(name)?.args[index]?.value
    return typeof value === 'number' ? value : undefined
  }
}

/** The annotated declaration or field. */
export interface Target {
  readonly kind: 'interface' | 'type' | 'field'
  readonly name: string
  readonly isTable: boolean
}

/** Checks annotations against their specs. Invalid ones are reported and left out. */
export function readAnnotations(syntax: readonly AnnotationSyntax[], target: Target, report: Report): AnnotationBag {
  if (syntax.length === 0) return AnnotationBag.empty
  const found: ReadAnnotation[] = []
  for (const annotation of syntax) {
    if (annotation.name === '') continue
    const spec = Object.hasOwn(annotationSpecs, annotation.name) ? annotationSpecs[annotation.name] : undefined
    const { name, span, args } = annotation
    if (!spec) report.add('unknown_annotation', span, name, meantAnnotations(name))
    else if (!fitsTarget(annotation, spec, target, report)) continue
    else if (!spec.repeatable && found.some((it) => it.name === name)) report.add('duplicate_annotation', span, name)
    else {
      const isRead = annotation.incomplete || checkArguments(annotation, spec, report)
      // Keep a navigation annotation with wrong arguments: otherwise its table type would be a second error.
      if (isRead || spec.fits === 'table') found.push({ name, spec, span, args })
    }
  }
  return new AnnotationBag(found)
}

function fitsTarget({ name, span }: AnnotationSyntax, spec: AnnotationSpec, target: Target, report: Report): boolean {
  if (spec.on === 'any' || spec.on === target.kind) return true
  if (spec.on === 'table' && target.kind === 'interface') {
    if (!target.isTable) report.add('needs_table', span, name, target.name)
    return target.isTable
  }
  const wanted = spec.on === 'field' ? 'a field' : 'an interface'
  const found = { interface: 'an interface', type: 'a type', field: 'a field' }[target.kind]
  report.add('wrong_target', span, name, wanted, found)
  return false
}

function checkArguments(annotation: AnnotationSyntax, spec: AnnotationSpec, report: Report): boolean {
  const { name, span, args } = annotation
  const missing = spec.args.find((it, index) => !it.optional && args[index] === undefined)
  if (missing) {
    report.add('missing_argument', span, name, describeArgument(missing), spec.example)
    return false
  }
  const extra = args[spec.args.length]
  if (extra) {
    report.add('extra_argument', extra.span, name, describeArguments(spec))
    return false
  }
  return args.every((argument, index) => {
    const wanted = specOfArgument(spec, argument, index, args.length)
    if (fitsArgument(argument, wanted)) return true
    const hint = hintForArgument(name, argument, wanted)
    report.add('wrong_argument', argument.span, name, describeArgument(wanted), describeValue(argument), hint)
    return false
  })
}

/** The hint for a wrong argument: missing or extra quotes, or a word that is part of the annotation's name. */
function hintForArgument(name: string, argument: ArgumentSyntax, wanted: ArgumentSpec): string | undefined {
  if (argument.kind !== 'name' && argument.kind !== 'string') return undefined
  const { value } = argument
  const near = suggest(value, wanted.choices ?? [])
  if (near !== undefined) return `did you mean '${near}'?`
  if (value.length > 60) return undefined
  if (Object.hasOwn(annotationSpecs, `${name}.${value}`)) return `write \`@${name}.${value}\``
  if (argument.kind === 'string') {
    const isBare = wanted.kind === 'name' ? /^[A-Za-z_$][\w$]*$/.test(value) : /^\d+$/.test(value)
    return isBare && !wanted.choices ? `write \`${value}\`, without quotes` : undefined
  }
  const takesText = wanted.choices?.includes(value) ?? (wanted.kind === 'text' || wanted.kind === 'value')
  return takesText ? `write \`'${value}'\`, in quotes` : undefined
}

/** `@db.index.plain 'desc'`: a single argument that is a valid order is the order, not the name. */
function specOfArgument(spec: AnnotationSpec, argument: ArgumentSyntax, index: number, count: number): ArgumentSpec {
  const last = spec.args.at(-1)!
  const isChoice = count === 1 && last.optional && last.choices?.includes(String(argument.value))
  return isChoice ? last : spec.args[index]!
}

function fitsArgument(argument: ArgumentSyntax, spec: ArgumentSpec): boolean {
  if (spec.choices) return argument.kind === 'string' && spec.choices.includes(argument.value)
  if (spec.kind === 'text') return argument.kind === 'string'
  if (spec.kind === 'name') return argument.kind === 'name'
  if (spec.kind === 'value') return argument.kind !== 'name'
  return argument.kind === 'number' && (spec.kind === 'number' || isCount(argument.value))
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Describes an argument, for messages and the reference page. */
function describeArgument({ name, kind, choices }: ArgumentSpec): string {
  if (choices) return `${name}: ${choices.map((it) => `'${it}'`).join(', ')}`
  if (kind === 'integer') return `${name}: a whole number, 0 or more`
  if (kind === 'number') return `${name}: a number`
  if (kind === 'name') return `${name}: a name`
  return kind === 'text' ? `${name}: a quoted string` : `${name}: a quoted string, a number, \`true\` or \`false\``
}

function describeArguments({ args }: AnnotationSpec): string {
  if (args.length === 0) return 'no arguments'
  return `at most ${args.length === 1 ? 'one argument' : `${args.length} arguments`}`
}

export function describeValue(argument: ArgumentSyntax): string {
  if (argument.kind === 'string') return JSON.stringify(argument.value.slice(0, 60))
  return argument.kind === 'name' ? `the name \`${argument.value.slice(0, 60)}\`` : String(argument.value)
}
