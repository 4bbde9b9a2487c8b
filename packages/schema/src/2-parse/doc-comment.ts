/** The text of a documentation comment, without delimiters, leading asterisks and surrounding blank lines. */
export function readDoc(comment: string): string | undefined {
  const lines = comment
    .slice(3, comment.endsWith('*/') ? -2 : undefined)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  if (lines[0] !== undefined) lines[0] = lines[0].trimStart()
  return lines.join('\n').trim() || undefined
}
