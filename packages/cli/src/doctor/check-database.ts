import type { CompileResult } from '@portico/schema'
import { ConfigError } from '../config.ts'
import type { LoadedConfig } from '../load-config.ts'
import { planDatabase } from '../plan-database.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Opens the database as the program would, and compares it with the declaration. Changes no table. */
export async function checkDatabase(config: LoadedConfig, schema: CompileResult | undefined): Promise<Finding[]> {
  if (config.database === undefined) {
    return [warning('DATABASE', 'the configuration names no database', 'add database to it, for `portico sync`')]
  }
  // Without a schema that compiles there is nothing to compare, but the database can be opened all the same.
  const declared = schema ?? { models: [] }
  try {
    const { differs, refused, summary } = await planDatabase(config, declared)
    const reached = [ok('DRIVER', 'the driver is installed'), ok('DATABASE', 'the database can be reached')]
    if (!schema) return reached
    if (!differs) return [...reached, ok('SYNC', summary)]
    // What a sync does by itself is often left to the program, as at the first start of a new app.
    const mend = 'run `portico sync`, or start a program that does it itself'
    const differing = refused
      ? problem('SYNC', `a sync would be refused:\n${summary}`, 'mend the schema or the data, or allow it')
      : warning('SYNC', `the database differs:\n${summary}`, mend)
    return [...reached, differing]
  } catch (error) {
    return [explain(error as Error)]
  }
}

function explain(error: Error): Finding {
  if (error instanceof ConfigError) return problem('DATABASE', error.message, 'mend database in the configuration')
  const { code } = error as { code?: unknown }
  if (code === 'DRIVER_MISSING') {
    return problem('DRIVER', error.message, 'install the driver beside your app, or build it again for this Node')
  }
  if (code === 'DATABASE_INVALID') {
    return problem('DATABASE', error.message, 'name another file in the configuration, or put a good copy there')
  }
  if (error.message.includes('does not accept the connection')) {
    // The server runs and was reached: its own words name what it lacks.
    return problem('DATABASE', error.message, 'make what is missing there, or correct database in the configuration')
  }
  const mend = error.message.startsWith('cannot open ')
    ? 'is its folder there, and may this user write to it? See database in the configuration'
    : 'is it running, and are its address and password right? See database in the configuration'
  return problem('DATABASE', `the database cannot be reached: ${error.message}`, mend)
}
