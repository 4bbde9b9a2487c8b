// Compiled with the tests: a public type that changes breaks it.
import { type CompileResult, compile, type Diagnostic, type DiagnosticCode, format } from '@portico/schema'
import type { Column, TableModel } from '@portico/schema/model'
import {
  type AnyTable,
  defineType,
  type InsertOf,
  type Issue,
  type KeyOf,
  type RecordOf,
  type StandardSchema,
  type TableDeclaration,
  type UpdateOf,
} from '@portico/schema/runtime'
import { expectTypeOf } from 'vitest'

interface Note {
  id: number
  text: string
}
declare const Note: TableDeclaration<Note, { text: string }, { id: number; text?: string }, { id: number }, Note>

expectTypeOf<RecordOf<typeof Note>>().toEqualTypeOf<Note>()
expectTypeOf<InsertOf<typeof Note>>().toEqualTypeOf<{ text: string }>()
expectTypeOf<UpdateOf<typeof Note>>().toEqualTypeOf<{ id: number; text?: string }>()
expectTypeOf<KeyOf<typeof Note>>().toEqualTypeOf<{ id: number }>()
expectTypeOf(Note).toExtend<AnyTable>()
expectTypeOf(Note).toExtend<TableModel>()
expectTypeOf(Note).toExtend<StandardSchema<Note>>()
expectTypeOf(defineType).toBeFunction()

expectTypeOf<TableModel['columns']>().toEqualTypeOf<readonly Column[]>()
expectTypeOf<Issue['message']>().toBeString()

expectTypeOf(compile).returns.toEqualTypeOf<CompileResult>()
expectTypeOf<Diagnostic['code']>().toEqualTypeOf<DiagnosticCode>()
expectTypeOf(format).parameter(0).toBeString()
