import { resolve } from 'node:path'
import { type Database, DbError, openDatabase, printPlan, type SyncPlan, type SyncResult } from '@portico/db'
import type { TableModel } from '@portico/schema/model'
import { EXIT, type Invocation, UsageError } from './command.ts'
import { describeConsent, describePlan, describeUnused, isRefused } from './describe-plan.ts'
import { replaceFile } from './files.ts'
import { compileSchema, findAdapter, type LoadedConfig, listTables, loadConfig } from './load-config.ts'
import { count } from './shared/count.ts'
import { showDiagnostics } from './show-diagnostics.ts'
import { showProgress } from './show-progress.ts'
import { refuseStale } from './stale-modules.ts'

export async function runSync(invocation: Invocation): Promise<number> {
  const { cwd, paths, options } = invocation
  if (paths.length > 0) throw new UsageError(`sync does not take files: ${paths.join(', ')}`)
  const modes = ['plan', 'check', 'sql', 'drop-unused'].filter((it) => options[it] !== undefined)
  if (modes.length > 1) throw new UsageError(`--${modes.join(' and --')} cannot be combined`)
  const config = await loadConfig(cwd, options['config'] as string | undefined)
  const tables = readTables(config, invocation)
  if (!tables) return EXIT.error
  const adapter = await findAdapter(config)
  await using db = await openDatabase(modes.length > 0 ? (adapter.preview?.() ?? adapter) : adapter)
  const task: Task = { db, tables, allow: (options['allow'] ?? []) as readonly string[], invocation }
  if (options['sql'] !== undefined) return await writeSql(task)
  if (options['drop-unused']) return await showUnused(task)
  return options['plan'] || options['check'] ? await showPlan(task) : await apply(task)
}

interface Task {
  readonly db: Database
  readonly tables: readonly TableModel[]
  readonly allow: readonly string[]
  readonly invocation: Invocation
}

/** The declared tables. Prints schema errors and returns `undefined` if there are any. */
function readTables(config: LoadedConfig, { options, terminal }: Invocation): TableModel[] | undefined {
  const compiled = compileSchema(config)
  if (!compiled.failed) {
    refuseStale(config, compiled)
    return listTables(config, compiled)
  }
  const { diagnostics } = compiled
  if (options['json']) terminal.out(JSON.stringify({ diagnostics }))
  else showDiagnostics(diagnostics, config.folder, terminal)
  return undefined
}

async function showPlan({ db, tables, allow, invocation: { options, terminal } }: Task): Promise<number> {
  const plan = await db.planSync(tables, { allow })
  terminal.out(options['json'] ? JSON.stringify({ ...plan, applied: false }) : describePlan(plan))
  const isOther = options['check'] ? plan.steps.length + plan.problems.length > 0 : isRefused(plan)
  return isOther ? EXIT.problems : EXIT.ok
}

/** Shows what sync created and no schema declares any more. Changes nothing. */
async function showUnused({ db, tables, allow, invocation: { options, terminal } }: Task): Promise<number> {
  const plan = await db.planSync(tables, { allow })
  if (options['json']) terminal.out(JSON.stringify({ kept: plan.kept }))
  else {
    const dropping = await db.planSync(tables, { allow: [...allow, ...plan.kept.map((it) => it.consent)] })
    terminal.out(describeUnused(plan, dropping))
  }
  return EXIT.ok
}

async function writeSql(task: Task): Promise<number> {
  const { db, tables, allow, invocation } = task
  const { cwd, options, terminal } = invocation
  const script = await unlessRefused(task, () => db.scriptSync(tables, { allow }))
  if (script === undefined) return EXIT.problems
  const file = options['sql'] as string
  if (options['json']) terminal.out(JSON.stringify({ script }))
  else if (script === '') terminal.err('the database is up to date: nothing to write')
  else if (file === '') terminal.write(script)
  if (file !== '' && script !== '') {
    replaceFile(resolve(cwd, file), script)
    if (!options['json']) terminal.out(`wrote ${file}`)
  }
  return EXIT.ok
}

async function apply(task: Task): Promise<number> {
  const { db, tables, allow, invocation } = task
  const { options, terminal } = invocation
  const progress = showProgress(terminal, options['json'] === true)
  // Planned before the sync: it clears the warnings.
  const { warnings } = await db.planSync(tables, { allow })
  const result = await unlessRefused(task, () =>
    db.sync(tables, { allow, onProgress: progress.update }).finally(progress.end),
  )
  if (!result) return EXIT.problems
  if (options['json']) terminal.out(JSON.stringify({ ...result, warnings, applied: true }))
  else {
    terminal.out(describeDone(result, warnings, await db.planSync(tables)))
    // Report unused consents: a typo would otherwise look as if it had been applied.
    const unused = allow.filter((words) => !result.steps.some((it) => it.consent === words))
    if (unused.length > 0) terminal.err(`not needed: --allow ${unused.map((it) => `'${it}'`).join(', ')}`)
  }
  return EXIT.ok
}

function describeDone({ steps }: SyncResult, warnings: SyncPlan['warnings'], { kept, leftovers }: SyncPlan): string {
  const done = steps.length === 0 ? 'the database is up to date' : `${count(steps.length, 'step')} done`
  const none = { steps: [], problems: [], warnings: [], kept: [], leftovers: [] }
  const taken = steps.length + warnings.length === 0 ? [] : [printPlan({ ...none, steps, warnings })]
  const left = kept.length === 0 ? [] : [printPlan({ ...none, kept, leftovers })]
  return [...taken, done, ...left].join('\n')
}

/** Prints a refused plan and returns `undefined`. A refusal is a result, not an error of the command. */
async function unlessRefused<T>(
  { db, tables, allow, invocation }: Task,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const { options, terminal } = invocation
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DbError) || error.code !== 'SYNC_REFUSED') throw error
    const plan = await db.planSync(tables, { allow })
    if (options['json']) terminal.out(JSON.stringify({ ...plan, applied: false, refused: error.message }))
    else {
      // A plan is refused as a whole. If the database refused a step, earlier steps may have been applied.
      const what = error.cause === undefined ? 'the sync was refused; nothing was changed' : 'the sync was refused'
      terminal.err([`portico: ${what}`, error.message, ...describeConsent(plan)].join('\n'))
    }
    return undefined
  }
}
