// Writes the reference page of the problem codes from `problemCodes`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemCodes } from '@portico/http'
import { root } from '../run.mjs'

/** The status of each code, and advice for the caller. */
const answers: Record<keyof typeof problemCodes, readonly [status: number, advice: string]> = {
  MALFORMED_REQUEST: [400, 'Fix the client.'],
  MALFORMED_URL: [400, 'Encode the URL with `encodeURIComponent` or `URLSearchParams`.'],
  MALFORMED_BODY: [400, 'Send the output of `JSON.stringify`, and numbers beyond 2^53 as strings.'],
  VALIDATION_FAILED: [400, 'Show the issues beside their fields.'],
  KEY_INCOMPLETE: [400, 'Send all fields of the key.'],
  KEY_UNKNOWN: [400, 'Send only the fields of the primary key.'],
  DECIMAL_INEXACT: [400, 'Use fewer digits.'],
  UNAUTHENTICATED: [401, 'Sign in again.'],
  FORBIDDEN: [403, 'Request another scope, or sign in as another user. Send forms from a page of the same site.'],
  NOT_FOUND: [404, 'Check the URL.'],
  METHOD_NOT_ALLOWED: [405, 'Use one of the methods in `Allow`.'],
  RECORD_NOT_FOUND: [404, 'It may have been deleted: reload the list.'],
  REQUEST_TIMEOUT: [408, 'Send it again.'],
  UNIQUE_VIOLATION: [409, 'Choose another value.'],
  FOREIGN_KEY_VIOLATION: [409, 'Insert the referenced record first, or delete the referring records first.'],
  CONSTRAINT_VIOLATION: [409, 'Send a value that the column accepts, such as a shorter text.'],
  NUMBER_UNSAFE: [409, 'The operator of the database has to check the table.'],
  VERSION_CONFLICT: [409, 'Read the record again and repeat the change.'],
  PRECONDITION_FAILED: [412, 'Read the record again and repeat the change.'],
  EXPECTATION_FAILED: [417, 'Remove the `Expect` header.'],
  BODY_TOO_LARGE: [413, 'Send less, or raise `bodyLimitBytes`.'],
  URL_TOO_LONG: [414, 'Check the URL.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send `content-type: application/json`, or a type that the route accepts.'],
  HEADERS_TOO_LARGE: [431, 'Send fewer or shorter headers and cookies.'],
  INTERNAL: [500, 'Search the server log for the `X-Request-Id` of the response.'],
  UNAVAILABLE: [503, 'Retry after a moment.'],
}

/** The current text of the pages, by path. */
export function pages(): Record<string, string> {
  const codes = Object.keys(problemCodes) as (keyof typeof problemCodes)[]
  const rows = codes.map(
    (code) => `| \`${code}\` | ${answers[code][0]} | ${problemCodes[code]} | ${answers[code][1]} |`,
  )
  const text = `<!-- Made by \`npm run docs -- http\`. Edits here are lost. -->

# Problem codes

Every error response of \`@portico/http\` is \`application/problem+json\` (RFC 9457) with one of these in \`code\`. The codes never
change. Programs add their own with \`HttpError\`.

| code | status | meaning | what to do |
|---|---|---|---|
${rows.join('\n')}
`
  return { 'docs/reference/problems.md': text }
}

export async function run(): Promise<string[]> {
  const written = Object.entries(pages())
  for (const [path, text] of written) writeFileSync(join(root, path), text)
  return written.map(([path]) => path)
}
