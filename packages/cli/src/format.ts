import { resolve } from 'node:path'
import { type Diagnostic, format as formatText } from '@portico/schema'
import { type Command, EXIT, type Invocation } from './command.ts'
import { listSchemaFiles, readIfThere, replaceFile } from './files.ts'
import { count, showDiagnostics } from './show-diagnostics.ts'

/** `portico format` */
export const format: Command = {
  summary: 'write schema files in their standard form',
  help: `Usage: portico format [files and folders…] [options]

Formats schema files in place. A file with syntax errors is reported and left alone.
Without files or folders it looks through the current folder.

Options:
  --check  write nothing; exit 1 when a file is not formatted
  --json   results as JSON on the output

Examples:
  portico format
  portico format schema/ --check`,
  options: { check: { type: 'boolean' } },
  run: async ({ cwd, paths, options, terminal }: Invocation): Promise<number> => {
    const files = listSchemaFiles(cwd, paths)
    const diagnostics: Diagnostic[] = []
    const changed: string[] = []
    for (const path of files) {
      const before = readIfThere(resolve(cwd, path)) ?? ''
      const { text, diagnostics: found } = formatText(before, path)
      diagnostics.push(...found)
      if (text === undefined || text === before) continue
      changed.push(path)
      if (!options['check']) replaceFile(resolve(cwd, path), text)
    }
    const failed = diagnostics.some((it) => it.severity === 'error')
    if (options['json']) terminal.out(JSON.stringify({ diagnostics, changed, files }))
    else {
      showDiagnostics(diagnostics, cwd, terminal)
      for (const path of changed) {
        if (options['check']) terminal.err(`${path} is not formatted: run \`portico format\``)
        else terminal.out(`formatted ${path}`)
      }
      terminal.out(`${count(files.length, 'schema file')}, ${files.length - changed.length} unchanged`)
    }
    return failed || (options['check'] && changed.length > 0) ? EXIT.problems : EXIT.ok
  },
}
