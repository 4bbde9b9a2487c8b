import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { readExtension } from '../generate.ts'
import { untilInterrupted } from '../interrupt.ts'
import { findMain, loadConfig } from '../load-config.ts'
import { watchFolders } from '../watch.ts'
import { DevSession } from './dev-session.ts'
import { mayBeSource } from './list-sources.ts'

/** `portico dev` */
export const dev: Command = {
  summary: 'run the program and restart it after every change',
  help: `Usage: portico dev [options] [-- program arguments]

Runs the module set as main in portico.config.ts, TypeScript included. After every change to code or schema files below
the configuration's folder it generates modules, shows the changes that a sync would make to the database, and restarts
the program. Errors in a schema file or the configuration are shown while the program keeps running. A program that
exits restarts after the next change. Ctrl-C stops everything.

Options:
  --config <file>            configuration file (default: portico.config.ts here or in a parent folder)
  --import-extension <js|ts> extension in imports between modules (default: js)

Examples:
  portico dev
  portico dev -- --port 4000`,
  options: { config: { type: 'string' }, 'import-extension': { type: 'string' } },
  run: runDev,
}

async function runDev({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (options['json']) throw new UsageError('dev does not support --json: the output belongs to the program')
  const importExtension = readExtension(options['import-extension'])
  const config = await loadConfig(cwd, options['config'] as string | undefined)
  const file = findMain(config)
  await untilInterrupted(async (signal) => {
    const session = new DevSession({ config, file, args: paths, importExtension, terminal, signal })
    try {
      await watchFolders(signal, () => session.update(), mayBeSource)
    } finally {
      await session.end()
    }
  })
  return EXIT.ok
}
