// Writes the reference page of the problem codes, which the HTTP layer knows itself.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemCodes } from '@portico/http'
import { root } from '../run.mjs'

/** The status of each code, and what a caller does about it. */
const answers: Record<keyof typeof problemCodes, readonly [status: number, advice: string]> = {
  MALFORMED_REQUEST: [400, 'Correct the program that sends it.'],
  MALFORMED_URL: [400, 'Encode the address: `encodeURIComponent`, `URLSearchParams`.'],
  MALFORMED_BODY: [400, 'Send what `JSON.stringify` makes, and numbers beyond 2^53 as text.'],
  VALIDATION_FAILED: [400, 'Show the issues beside their fields.'],
  KEY_INCOMPLETE: [400, 'Send all fields of the key.'],
  KEY_UNKNOWN: [400, 'Send the key fields alone.'],
  DECIMAL_INEXACT: [400, 'Use fewer digits.'],
  UNAUTHENTICATED: [401, 'Sign in again.'],
  FORBIDDEN: [403, 'Ask for another scope, or as somebody else; for a form, send it from a page of the site.'],
  NOT_FOUND: [404, 'Correct the address.'],
  METHOD_NOT_ALLOWED: [405, 'Use one of the methods in `Allow`.'],
  RECORD_NOT_FOUND: [404, 'It may have been deleted: load the list again.'],
  REQUEST_TIMEOUT: [408, 'Send it again.'],
  UNIQUE_VIOLATION: [409, 'Choose another value.'],
  FOREIGN_KEY_VIOLATION: [409, 'Store what it refers to first, or delete what refers to it.'],
  CONSTRAINT_VIOLATION: [409, 'Send a value that fits, such as a shorter text.'],
  NUMBER_UNSAFE: [409, 'Nothing: the table has to be looked at by whoever runs it.'],
  VERSION_CONFLICT: [409, 'Read the record again, and repeat the change.'],
  PRECONDITION_FAILED: [412, 'Read the record again, and repeat the change.'],
  EXPECTATION_FAILED: [417, 'Leave the header `Expect` out.'],
  BODY_TOO_LARGE: [413, 'Send less, or raise `bodyLimitBytes`.'],
  URL_TOO_LONG: [414, 'Correct the address.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send `content-type: application/json`, or what the route takes.'],
  HEADERS_TOO_LARGE: [431, 'Send fewer or shorter headers and cookies.'],
  INTERNAL: [500, 'Look at the log of the server, under the `X-Request-Id` of the answer.'],
  UNAVAILABLE: [503, 'Try again a little later.'],
}

/** The pages by their paths, as they should be now. */
export function pages(): Record<string, string> {
  const codes = Object.keys(problemCodes) as (keyof typeof problemCodes)[]
  const rows = codes.map(
    (code) => `| \`${code}\` | ${answers[code][0]} | ${problemCodes[code]} | ${answers[code][1]} |`,
  )
  const text = `<!-- Made by \`npm run docs -- http\`. Edits here are lost. -->

# Problem codes

Every refusal of \`@portico/http\` is \`application/problem+json\` (RFC 9457) with one of these in \`code\`. They never change; programs add
codes of their own with \`HttpError\`.

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
