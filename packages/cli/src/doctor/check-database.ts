import type { CompileResult } from '@portico/schema'
import { ConfigError } from '../config.ts'
import type { LoadedConfig } from '../load-config.ts'
import { planDatabase } from '../plan-database.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Opens the database like the program would and compares it with the schema. Changes no tables. */
export async function checkDatabase(config: LoadedConfig, schema: CompileResult | undefined): Promise<Finding[]> {
  if (config.database === undefined) {
    return [warning('DATABASE', 'no database is configured', 'add database to the configuration to use `portico sync`')]
  }
  // Without a valid schema there is nothing to compare, but the connection can still be checked.
  const declared = schema ?? { models: [] }
  try {
    const { differs, refused, description } = await planDatabase(config, declared)
    const reached = [ok('DRIVER', 'the driver is installed'), ok('DATABASE', 'the database can be reached')]
    if (!schema) return reached
    if (!differs) return [...reached, ok('SYNC', description)]
    // Only a warning: many programs sync themselves at start.
    const fix = 'run `portico sync`, or start a program that syncs at start'
    const differing = refused
      ? problem('SYNC', `a sync would be refused:\n${description}`, 'fix the schema or the data, or allow the step')
      : warning('SYNC', `the database differs from the schema:\n${description}`, fix)
    return [...reached, differing]
  } catch (error) {
    return [explain(error as Error)]
  }
}

function explain(error: Error): Finding {
  if (error instanceof ConfigError) return problem('DATABASE', error.message, 'correct database in the configuration')
  const { code } = error as { code?: unknown }
  if (code === 'DRIVER_MISSING') {
    return problem('DRIVER', error.message, 'install the driver in your app, or rebuild it for this Node version')
  }
  if (code === 'DATABASE_INVALID') {
    return problem('DATABASE', error.message, 'use another file in the configuration, or restore a good copy')
  }
  if (error.message.includes('does not accept the connection')) {
    // The server was reached; its message says what is missing.
    return problem('DATABASE', error.message, 'create what is missing, or correct database in the configuration')
  }
  const fix = error.message.startsWith('cannot open ')
    ? 'check that its folder exists and is writable, and check database in the configuration'
    : 'check that it is running, and check address and password of database in the configuration'
  return problem('DATABASE', `the database cannot be reached: ${error.message}`, fix)
}
