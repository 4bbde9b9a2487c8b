import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { ConfigError } from '../config.ts'
import { type LoadedConfig, loadConfig } from '../load-config.ts'
import { count } from '../shared/count.ts'
import type { Terminal } from '../terminal.ts'
import { checkDatabase } from './check-database.ts'
import { checkCredentials, checkNode, checkPort } from './check-machine.ts'
import { checkPackages } from './check-packages.ts'
import { checkDecorators, checkProgram, checkSchema } from './check-project.ts'
import { checkCodes, type Finding, ok, problem } from './finding.ts'

/** `portico doctor` */
export const doctor: Command = {
  summary: 'find problems in your setup and suggest fixes',
  help: `Usage: portico doctor [options]

Checks Node, the configuration, the packages, the schema and its modules, the compiler settings, the database and the
port. Reports problems with suggested fixes and changes nothing. Exits with 1 if there are problems; warnings are fine.

Options:
  --config <file>  configuration file (default: portico.config.ts here or in a parent folder)
  --json           print results as JSON

Checks:
${Object.entries(checkCodes)
  .map(([code, what]) => `  ${code.padEnd(11)}  ${what}`)
  .join('\n')}

Examples:
  portico doctor
  portico doctor --json`,
  options: { config: { type: 'string' } },
  run: runDoctor,
}

async function runDoctor({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 0) throw new UsageError('doctor does not take files; use --config for a configuration file')
  const findings = await runChecks(cwd, options['config'] as string | undefined)
  if (options['json']) terminal.out(JSON.stringify({ findings }))
  else for (const finding of findings) showFinding(finding, terminal)
  const problems = findings.filter((it) => it.level === 'problem').length
  const warnings = findings.filter((it) => it.level === 'warning').length
  if (!options['json']) terminal.out(summarize(problems, warnings))
  return problems === 0 ? EXIT.ok : EXIT.problems
}

function summarize(problems: number, warnings: number): string {
  const summary = problems === 0 ? 'No problems found' : count(problems, 'problem')
  return `${summary}${warnings === 0 ? '' : `, ${count(warnings, 'warning')}`}.`
}

async function runChecks(cwd: string, given: string | undefined): Promise<Finding[]> {
  const config = await findConfig(cwd, given)
  const node = checkNode(process.versions.node)
  if (isFinding(config)) return [node, config, checkPackages(cwd), checkCredentials()]
  const { findings, result } = checkSchema(config)
  const port = await checkPort(config.server, process.env)
  return [
    node,
    ok('CONFIG', config.path),
    checkPackages(config.folder),
    checkProgram(config),
    ...findings,
    checkDecorators(config),
    ...(await checkDatabase(config, result)),
    ...(port ? [port] : []),
    checkCredentials(),
  ]
}

async function findConfig(cwd: string, given: string | undefined): Promise<LoadedConfig | Finding> {
  try {
    return await loadConfig(cwd, given)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const isMissing = error.code === 'CONFIG_NOT_FOUND'
    const fix = isMissing ? 'change to the folder of your app, or create one with `portico init`' : 'correct the file'
    return problem('CONFIG', error.message, fix)
  }
}

function isFinding(value: LoadedConfig | Finding): value is Finding {
  return 'level' in value
}

function showFinding({ level, code, message, fix }: Finding, { out, colors }: Terminal): void {
  const mark = level.padEnd(7)
  const painted = level === 'ok' ? mark : ((level === 'problem' ? colors?.error : colors?.warning)?.(mark) ?? mark)
  out(`${painted}  ${code.padEnd(11)}  ${message.replaceAll('\n', `\n${' '.repeat(22)}`)}`)
  if (fix !== undefined) out(`${' '.repeat(22)}→ ${fix}`)
}
