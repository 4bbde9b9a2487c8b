import { quote } from '../1-lex/strings.ts'
import type { Declaration, Expectation, Field, Type } from '../model.ts'
import { describeExpected, scalarTest } from './emit-tests.ts'
import type { ModuleNames } from './module-names.ts'
import type { Writer } from './writer.ts'

const signature = '(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void'

/** Emits the validators of one module. Each is a function that adds problems to `issues`. */
export class ValidatorEmitter {
  readonly #names: ModuleNames
  readonly #out: Writer
  /** Helper functions for unnamed types, emitted after the function that calls them. */
  #pending: (() => void)[] = []

  constructor(names: ModuleNames, out: Writer) {
    this.#names = names
    this.#out = out
  }

  emit({ name, type, kind }: Declaration): void {
    this.#emitFunction(`check${name}`, name, type, kind === 'table')
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) next()
  }

  #emitFunction(name: string, owner: string, type: Type, isTable: boolean): void {
    // An unused parameter would be an error with `noUnusedParameters`.
    const used = type.kind === 'object' ? type.fields.some((it) => dependsOnMode(it, isTable)) : false
    this.#out.line()
    this.#out.block(`function ${name}${used ? signature : signature.replace('mode:', '_mode:')} {`, '}', () => {
      const helper: MakeHelper = (hint, inner) => this.#helper(owner + capitalize(hint), inner)
      const body = new FunctionBody(this.#names, this.#out, helper)
      if (type.kind === 'object') body.object(type.fields, isTable)
      else body.value(type, 'value', 'path', [])
    })
  }

  #helper(hint: string, type: Type): string {
    const name = this.#names.unique(`check${hint}`)
    this.#pending.push(() => this.#emitFunction(name, hint, type, false))
    return name
  }
}

type MakeHelper = (hint: string, type: Type) => string

/** The statements inside one validator. */
class FunctionBody {
  readonly #names: ModuleNames
  readonly #out: Writer
  readonly #helper: MakeHelper
  #loops = 0

  constructor(names: ModuleNames, out: Writer, helper: MakeHelper) {
    this.#names = names
    this.#out = out
    this.#helper = helper
  }

  object(fields: readonly Field[], isTable: boolean): void {
    this.#out.line("if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')")
    this.#refuseUnknown(fields)
    for (let index = 0; index < fields.length; index++) this.#field(fields[index]!, isTable, index === 0)
  }

  #refuseUnknown(fields: readonly Field[]): void {
    let known = ''
    let navigations = ''
    for (const { name, role } of fields) {
      if (role === 'navigation') navigations += `      case '${name}':\n`
      else known += `      case '${name}':\n`
    }
    const refuse = 'portico.unknownField(issues, path, name)'
    this.#out.raw(`  for (const name in value) {
    switch (name) {
${known && `${known}        break\n`}${navigations && `${navigations}        if (mode !== 'record') ${refuse}\n        break\n`}      default:
        ${refuse}
    }
  }`)
  }

  #field(field: Field, isTable: boolean, isFirst: boolean): void {
    const out = this.#out
    const { name, type, optional, expectations } = field
    const read = name in Object.prototype ? `portico.own(value, '${name}')` : `value['${name}']`
    const head = `  ${isFirst ? 'let it' : 'it'} = ${read}
  if (${optional ? 'portico.isPresent(it, mode)' : 'it !== undefined'}) {`
    const path = `[...path, '${name}']`
    const foot = optional ? '  }' : `  } else ${whenRequired(field, isTable)}portico.missing(issues, path, '${name}')`
    const test = expectations.length === 0 ? scalarTest(type, 'it') : undefined
    // Most fields are scalar. Emitting them as one string keeps the compiler fast.
    if (test !== undefined) {
      out.raw(`${head}\n    if (!${test}) ${wrong(path, type)}\n${foot}`)
      return
    }
    const mode = field.role === 'stored' && !field.json ? 'portico.nested(mode)' : "'record'"
    out.raw(head)
    out.indented(() => this.value(type, 'it', path, expectations, name, mode))
    out.raw(foot)
  }

  /** Emits the check of an expression. `hint` is used to name helper functions. */
  value(type: Type, it: string, path: string, rules: readonly Expectation[], hint = '', mode = "'record'"): void {
    const out = this.#out
    const test = scalarTest(type, it)
    if (test !== undefined) {
      out.line(`if (!${test}) ${wrong(path, type)}`)
      if (rules.length > 0) out.block('else {', '}', () => this.#rules(rules, it, path))
      return
    }
    if (type.kind === 'array') {
      this.#array(type.element, it, path, rules, hint)
      return
    }
    if (type.kind === 'union') {
      this.#union(type.members, it, path, rules, hint, mode)
      return
    }
    if (type.kind === 'records') {
      this.#records(type.many, it, path)
      return
    }
    out.line(`${this.#checkOf(type, hint)}(${it}, ${path}, issues, ${mode})`)
    this.#rules(rules, it, path, type)
  }

  #array(element: Type, it: string, path: string, rules: readonly Expectation[], hint: string): void {
    const out = this.#out
    const level = this.#loops++ || ''
    const [index, item] = [`index${level}`, `item${level}`]
    const inner = path === 'path' ? `[...path, ${index}]` : `${path.slice(0, -1)}, ${index}]`
    out.line(`if (!portico.isArray(${it})) portico.wrong(issues, ${path}, 'an array')`)
    out.block('else {', '}', () => {
      this.#rules(rules, it, path)
      out.block(`for (const [${index}, ${item}] of ${it}.entries()) {`, '}', () =>
        this.value(element, item, inner, [], `${hint}Item`),
      )
    })
    this.#loops -= 1
  }

  #union(
    members: readonly Type[],
    it: string,
    path: string,
    rules: readonly Expectation[],
    hint: string,
    mode: string,
  ): void {
    const out = this.#out
    const others = withoutNull(members)
    if (others.length === 1 && others.length < members.length) {
      out.block(`if (${it} !== null) {`, '}', () => this.value(others[0]!, it, path, rules, hint, mode))
      return
    }
    const tests = members.map(
      (member) => scalarTest(member, it) ?? `portico.passes(${this.#checkOf(member, hint)}, ${it})`,
    )
    out.line(
      `if (!(${tests.join(' || ')})) portico.wrong(issues, ${path}, ${quote(describeExpected({ kind: 'union', members }))})`,
    )
    this.#rules(rules, it, path, { kind: 'union', members })
  }

  #records(many: boolean, it: string, path: string): void {
    const out = this.#out
    if (!many) {
      out.line(`if (!portico.isObject(${it})) portico.wrong(issues, ${path}, 'an object')`)
      return
    }
    out.line(
      `if (!portico.isArray(${it}) || !${it}.every(portico.isObject)) portico.wrong(issues, ${path}, 'an array of objects')`,
    )
  }

  /** The function that checks a type: from this module, from the module that declares it, or a new helper. */
  #checkOf(type: Type, hint: string): string {
    if (type.kind !== 'named') return this.#helper(hint || 'value', type)
    const { declaration } = type
    return this.#names.isOwn(declaration) ? `check${declaration.name}` : `${this.#names.nameOf(declaration)}.check`
  }

  /** `mixed` is the type if it is not narrowed yet. Each rule then applies only to the values it fits. */
  #rules(rules: readonly Expectation[], it: string, path: string, mixed?: Type): void {
    for (const { rule, value, message } of rules) {
      const [test, code, text] = ruleTest(rule, value, it)
      const guard = mixed ? `portico.${guardOf(rule, mixed)}(${it}) && ` : ''
      this.#out.line(`if (${guard}${test}) portico.broken(issues, ${path}, '${code}', ${quote(message ?? text)})`)
    }
  }
}

function guardOf(rule: Expectation['rule'], type: Type): 'isNumber' | 'isArray' | 'isString' {
  if (rule === 'min' || rule === 'max' || rule === 'int') return 'isNumber'
  return holdsArrays(type) ? 'isArray' : 'isString'
}

function holdsArrays(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(holdsArrays)
  return type.kind === 'named' ? holdsArrays(type.declaration.type) : type.kind === 'array'
}

function wrong(path: string, type: Type): string {
  return `portico.wrong(issues, ${path}, ${quote(describeExpected(type))})`
}

/** True if the check of a field uses `mode`. */
function dependsOnMode(field: Field, isTable: boolean): boolean {
  if (field.optional || whenRequired(field, isTable) !== '') return true
  return field.role === 'stored' && !field.json && passesMode(field.type)
}

/** True if another function checks values of this type and receives `mode`. */
function passesMode(type: Type): boolean {
  if (type.kind === 'array' || type.kind === 'records' || scalarTest(type, 'it') !== undefined) return false
  if (type.kind !== 'union') return true
  const others = withoutNull(type.members)
  return others.length === 1 && others.length < type.members.length && passesMode(others[0]!)
}

function withoutNull(members: readonly Type[]): readonly Type[] {
  return members.filter((member) => member.kind !== 'literal' || member.value !== null)
}

/** The condition under which a field is required; empty if always. Objects inside a table are never checked as updates. */
function whenRequired(field: Field, isTable: boolean): string {
  if (!isTable) return field.default ? "if (mode !== 'insert') " : ''
  if (field.generated) return field.key ? "if (mode === 'record' || mode === 'update') " : "if (mode === 'record') "
  if (field.key) return field.default ? "if (mode !== 'insert') " : ''
  return field.default ? "if (mode === 'record' || mode === 'replace') " : "if (mode !== 'update') "
}

function ruleTest(
  rule: Expectation['rule'],
  value: Expectation['value'],
  it: string,
): [test: string, code: string, text: string] {
  switch (rule) {
    case 'min':
      return [`${it} < ${value}`, 'minimum', `expected at least ${value}`]
    case 'max':
      return [`${it} > ${value}`, 'maximum', `expected at most ${value}`]
    case 'minLength':
      return [`portico.lengthOf(${it}) < ${value}`, 'minLength', `expected a length of at least ${value}`]
    case 'maxLength':
      return [`portico.lengthOf(${it}) > ${value}`, 'maxLength', `expected a length of at most ${value}`]
    case 'int':
      return [`!portico.isInteger(${it})`, 'integer', 'expected a whole number']
    case 'pattern':
      return [`!${patternLiteral(String(value))}.test(${it})`, 'pattern', `expected text that matches ${value}`]
  }
}

/** A regular expression literal. The constructor handles the escaping. */
function patternLiteral(pattern: string): string {
  return `/${new RegExp(pattern, 'u').source}/u`
}

function capitalize(word: string): string {
  return word === '' ? '' : word[0]!.toUpperCase() + word.slice(1)
}
