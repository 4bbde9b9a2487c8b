import { resolve } from 'node:path'
import { Compiler } from '@portico/schema'
import { type Command, EXIT, type Invocation } from './command.ts'
import { listSchemaFiles, readIfThere } from './files.ts'
import { count } from './shared/count.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `portico check` */
export const check: Command = {
  summary: 'check schema files without writing anything',
  help: `Usage: portico check [files and folders…] [options]

Checks schema files without writing anything. Exits with 1 if there are errors; warnings are fine.
Default: all schema files in the current folder.

Options:
  --json   print results as JSON

Examples:
  portico check
  portico check schema/users.portico --json`,
  options: {},
  run: async ({ cwd, paths, options, terminal }: Invocation): Promise<number> => {
    const files = listSchemaFiles(cwd, paths)
    const { diagnostics, failed } = new Compiler({ read: (path) => readIfThere(resolve(cwd, path)) }).compile(files)
    if (options['json']) terminal.out(JSON.stringify({ diagnostics, files }))
    else {
      showDiagnostics(diagnostics, cwd, terminal)
      if (!failed) terminal.out(`${count(files.length, 'schema file')} checked`)
    }
    return failed ? EXIT.problems : EXIT.ok
  },
}
