import { quote } from '../1-lex/strings.ts'
import { generatedNames } from '../3-check/check.ts'
import type { FileModel } from '../model.ts'
import { FORMAT_VERSION } from '../runtime/format-version.ts'
import { emitValue } from './emit-table.ts'
import { emitTypes } from './emit-types.ts'
import { ValidatorEmitter } from './emit-validator.ts'
import { importPath, ModuleNames } from './module-names.ts'
import { Writer } from './writer.ts'

export interface EmitOptions {
  /** The extension in imports between generated modules. Default: `js`, which works in every TypeScript setup. */
  readonly importExtension?: 'js' | 'ts' | undefined
}

/** Emits the TypeScript module of a schema file. The output is deterministic. */
export function emitModule(model: FileModel, options: EmitOptions = {}): string {
  const { path, declarations } = model
  const own = declarations.flatMap((it) => [it.name, ...generatedNames(it)])
  const names = new ModuleNames(path, [...own, 'portico'])
  const body = new Writer()
  const validators = new ValidatorEmitter(names, body)
  for (const declaration of declarations) {
    emitTypes(declaration, names, body)
    emitValue(declaration, names, body)
    validators.emit(declaration)
  }
  return emitHead(path, names, options) + body.toString()
}

/**
 * True if the text is the module generated from this schema file. The first line of a generated module names its source.
 *
 * ```ts
 * if (isModuleOf('schema/users.portico', text)) console.log('written by portico generate')
 * ```
 */
export function isModuleOf(path: string, text: string): boolean {
  return text.startsWith(`${origin(fileName(path))} `)
}

function origin(file: string): string {
  return `// Generated from ${file} by \`portico generate\`.`
}

/** File names may contain line breaks, which would end the comment. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/[^\x20-\x7e\xa0-\u2027\u202a-\uffff]/g, '?')
}

function emitHead(path: string, names: ModuleNames, { importExtension = 'js' }: EmitOptions): string {
  const file = fileName(path)
  const head = new Writer()
  head.line(`${origin(file)} Do not edit: change ${file} and generate again.`)
  head.line(`import * as portico from ${quote('@portico/schema/runtime')}`)
  for (const { path: other, names: imported } of names.imports()) {
    const list = imported.map(([name, local]) => (name === local ? name : `${name} as ${local}`)).join(', ')
    head.line(`import { ${list} } from ${quote(importPath(path, other, importExtension))}`)
  }
  head.line()
  head.line(`portico.assertFormat(${FORMAT_VERSION}, ${quote(`${file}.ts`)})`)
  return head.toString()
}
