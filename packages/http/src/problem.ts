import type { JsonSchema } from '@portico/schema/runtime'
import type { RequestIssue } from './errors.ts'

/** The body of an error answer (RFC 9457). `code` is what callers branch on. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  /** What is wrong with the input, at most 100 things. */
  readonly issues?: readonly RequestIssue[]
}

/** The JSON Schema of {@link Problem}. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457). Branch on `code`.',
  properties: {
    type: { type: 'string', description: 'Always `about:blank`: `code` says what it is.' },
    title: { type: 'string', description: 'The phrase of the status.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong this time, for people.' },
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
