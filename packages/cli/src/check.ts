import { resolve } from 'node:path'
import { Compiler } from '@portico/schema'
import { type Command, EXIT, type Invocation } from './command.ts'
import { listSchemaFiles, readIfThere } from './files.ts'
import { count } from './shared/count.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `portico check` */
export const check: Command = {
  summary: 'report the problems of schema files and write nothing',
  help: `Usage: portico check [files and folders…] [options]

Checks schema files without writing anything. Exits 1 when there is an error; warnings alone are fine.
Without files or folders it looks through the current folder.

Options:
  --json   results as JSON on the output

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
