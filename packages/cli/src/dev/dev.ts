import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { readExtension } from '../generate.ts'
import { untilInterrupted } from '../interrupt.ts'
import { findMain, loadConfig } from '../load-config.ts'
import { watchFolders } from '../watch.ts'
import { DevSession } from './dev-session.ts'
import { isWorthALook } from './list-sources.ts'

/** `portico dev` */
export const dev: Command = {
  summary: 'generate, show the sync plan and run the program, again after every change',
  help: `Usage: portico dev [options] [-- arguments of the program]

Runs the program that main of portico.config.ts names, TypeScript as it is. Whenever code or a schema file below the
configuration's folder changes, it generates modules, shows what a sync would do to the database, and starts the program
again. An error in a schema file or in the configuration is shown and the program goes on as it is; a program that ends
starts again after the next change. Ctrl-C ends all of it.

Options:
  --config <file>            the configuration (default: portico.config.ts here or in a folder above)
  --import-extension <js|ts> how modules import each other (default: js)

Examples:
  portico dev
  portico dev -- --port 4000`,
  options: { config: { type: 'string' }, 'import-extension': { type: 'string' } },
  run: runDev,
}

async function runDev({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (options['json']) throw new UsageError('dev has no --json: the output is that of the program')
  const importExtension = readExtension(options['import-extension'])
  const config = await loadConfig(cwd, options['config'] as string | undefined)
  const file = findMain(config)
  await untilInterrupted(async (signal) => {
    const session = new DevSession({ config, file, args: paths, importExtension, terminal, signal })
    try {
      await watchFolders(signal, () => session.look(), isWorthALook)
    } finally {
      await session.end()
    }
  })
  return EXIT.ok
}
