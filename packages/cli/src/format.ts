import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { type Diagnostic, format as formatText, SourceFile } from '@portico/schema'
import { type Command, EXIT, type Invocation, UsageError } from './command.ts'
import { listSchemaFiles, readIfThere, replaceFile } from './files.ts'
import { count } from './shared/count.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `portico format` */
export const format: Command = {
  summary: 'format schema files',
  help: `Usage: portico format [files and folders…] [options]

Formats schema files in place. Files with syntax errors are reported and not changed.
Default: all schema files in the current folder. Use - to read standard input and print the
result.

Options:
  --check  write nothing; exit with 1 if a file is not formatted
  --json   print results as JSON

Examples:
  portico format
  portico format schema/ --check
  portico format - < users.portico`,
  options: { check: { type: 'boolean' } },
  run: (invocation) => (invocation.paths.includes('-') ? formatInput(invocation) : formatFiles(invocation)),
}

async function formatFiles({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  const isCheck = options['check'] === true
  const files = listSchemaFiles(cwd, paths)
  const diagnostics: Diagnostic[] = []
  const changed: string[] = []
  let broken = 0
  for (const path of files) {
    const before = readIfThere(resolve(cwd, path)) ?? ''
    const { text, diagnostics: found } = formatText(before, path)
    diagnostics.push(...found)
    if (text === undefined) broken += 1
    if (text === undefined || text === before) continue
    changed.push(path)
    if (!isCheck) replaceFile(resolve(cwd, path), text)
  }
  if (options['json']) terminal.out(JSON.stringify({ diagnostics, changed, files }))
  else {
    showDiagnostics(diagnostics, cwd, terminal)
    for (const path of changed) {
      if (isCheck) terminal.err(`${path} is not formatted: run \`portico format\``)
      else terminal.out(`formatted ${path}`)
    }
    const parts = [
      changed.length > 0 && `${changed.length} ${isCheck ? 'not formatted' : 'formatted'}`,
      `${files.length - changed.length - broken} ${isCheck ? 'formatted' : 'unchanged'}`,
      broken > 0 && `${broken} with errors`,
    ]
    terminal.out(`${count(files.length, 'schema file')}: ${parts.filter(Boolean).join(', ')}`)
  }
  return broken > 0 || (isCheck && changed.length > 0) ? EXIT.problems : EXIT.ok
}

/** Formats standard input, for editors. */
async function formatInput({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('- cannot be combined with other files')
  if (options['json']) throw new UsageError('- and --json cannot be combined')
  const before = await readAll(process.stdin)
  const { text, diagnostics } = formatText(before, '<stdin>')
  showDiagnostics(diagnostics, cwd, terminal, [new SourceFile('<stdin>', before)])
  if (text === undefined) return EXIT.problems
  if (!options['check']) terminal.write(text)
  else if (text !== before) {
    terminal.err('standard input is not formatted')
    return EXIT.problems
  }
  return EXIT.ok
}
