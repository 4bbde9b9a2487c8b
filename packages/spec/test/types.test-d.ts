// Compiled with the tests: a public type that changes breaks it.
import {
  createSpec,
  diffSpecs,
  type OpenApiDocument,
  SpecController,
  SpecError,
  type SpecErrorCode,
  SpecTag,
  specController,
} from '@portico/spec'
import { expectTypeOf } from 'vitest'

expectTypeOf(SpecController).toEqualTypeOf(specController)
expectTypeOf(createSpec([], { title: 'Tasks', version: undefined })).toEqualTypeOf<OpenApiDocument>()
createSpec([], { title: 'Tasks', openapi: '3.2' })
// @ts-expect-error a version of OpenAPI that the package does not write
createSpec([], { title: 'Tasks', openapi: '2.0' })
// @ts-expect-error an option that does not exist
specController({ title: 'Tasks', titel: 'Tasks' })

// A describing decorator works on a class and on a method.
@SpecTag('tasks')
class TaskController {
  @SpecTag('lists')
  list(): void {}
}
expectTypeOf<TaskController>().toHaveProperty('list')

declare const document: OpenApiDocument
expectTypeOf(diffSpecs(document, document)).toBeArray()
expectTypeOf<SpecError['code']>().toEqualTypeOf<SpecErrorCode>()
