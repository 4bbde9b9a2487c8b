import type { JsonSchema } from '@portico/schema/runtime'
import type { RequestIssue } from './errors.ts'

/** The body of an error response (RFC 9457). Callers branch on `code`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  /** The issues of invalid input, at most 100. */
  readonly issues?: readonly RequestIssue[]
}

/** The JSON Schema of {@link Problem}. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem (RFC 9457). Branch on `code`.',
  properties: {
    type: { type: 'string', description: 'Always `about:blank`: `code` identifies the problem.' },
    title: { type: 'string', description: 'The reason phrase of the status.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'A message for people about this occurrence.' },
    code: { type: 'string' },
    issues: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          in: { type: 'string', enum: ['path', 'query', 'header', 'cookie', 'body'] },
          path: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          code: { type: 'string' },
          message: { type: 'string' },
        },
        required: ['path', 'code', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
}
