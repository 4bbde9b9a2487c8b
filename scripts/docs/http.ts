// Writes the reference page of the problem codes, which the HTTP layer knows itself.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemCodes } from '@portico/http'
import { root } from '../run.mjs'

/** The pages by their paths, as they should be now. */
export function pages(): Record<string, string> {
  const rows = Object.entries(problemCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  const text = `<!-- Made by \`npm run docs -- http\`. Edits here are lost. -->

# Problem codes

Every refusal of \`@portico/http\` is \`application/problem+json\` (RFC 9457) with one of these in \`code\`. They never change; programs add
codes of their own with \`HttpError\`.

| code | meaning |
|---|---|
${rows.join('\n')}
`
  return { 'docs/reference/problems.md': text }
}

export async function run(): Promise<string[]> {
  const written = Object.entries(pages())
  for (const [path, text] of written) writeFileSync(join(root, path), text)
  return written.map(([path]) => path)
}
