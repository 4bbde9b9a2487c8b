/** The compiler, formatter and diagnostics of the schema language. */
export { type AnnotationSpec, type ArgumentSpec, annotationSpecs } from './3-check/annotation-specs.ts'
export { type EmitOptions, isModuleOf } from './4-emit/emit-module.ts'
export {
  type CompileResult,
  Compiler,
  type CompilerOptions,
  compile,
  type GeneratedModule,
  type SchemaSource,
} from './compile.ts'
export { type DiagnosticCode, messages, type Severity } from './diagnostics/messages.ts'
export { type DiagnosticColors, type PrintOptions, printDiagnostic } from './diagnostics/print-diagnostic.ts'
export type { Diagnostic, RelatedPlace } from './diagnostics/report.ts'
export { type FormatResult, format } from './format/format.ts'
export { type ParseResult, parse } from './parse.ts'
export { type Position, SourceFile, type Span } from './source.ts'
