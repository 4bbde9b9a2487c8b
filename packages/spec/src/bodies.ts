import type { Context } from './context.ts'
import type { RequestBody } from './document.ts'
import { describeExamples } from './examples.ts'
import type { DescribedRoute } from './routes.ts'
import type { TSpecMate } from './spec-mate.ts'

/** The request body of an operation, if it has one. */
export function describeBody({ route, place }: DescribedRoute, { components }: Context): RequestBody | undefined {
  const input = route.inputs.find((it) => it.in === 'body')
  if (!input) return undefined
  const { label, description, specExamples } = input.metadata as TSpecMate
  const more = { ...(label !== undefined && { title: label }), ...(description !== undefined && { description }) }
  const media = {
    schema: components.schemaOf(input.type, `the body of ${place}`, more),
    ...describeExamples(specExamples),
  }
  return {
    ...(description !== undefined && { description }),
    required: input.required,
    content: Object.fromEntries(route.consumes.map((type) => [type, media])),
  }
}
