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
  summary: 'say what is wrong with a set-up, and how to mend it',
  help: `Usage: portico doctor [options]

Looks at Node, the configuration, the packages, the schema and its modules, the compiler's settings, the database and the
port. Says what is wrong and what to do about it, and changes nothing itself. Exits 1 when something is wrong; warnings
alone are fine.

Options:
  --config <file>  the configuration (default: portico.config.ts here or in a folder above)
  --json           results as JSON on the output

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
  if (paths.length > 0) throw new UsageError('doctor takes no files; --config names a configuration')
  const findings = await examine(cwd, options['config'] as string | undefined)
  if (options['json']) terminal.out(JSON.stringify({ findings }))
  else for (const finding of findings) showFinding(finding, terminal)
  const problems = findings.filter((it) => it.level === 'problem').length
  const warnings = findings.filter((it) => it.level === 'warning').length
  if (!options['json']) terminal.out(sumUp(problems, warnings))
  return problems === 0 ? EXIT.ok : EXIT.problems
}

function sumUp(problems: number, warnings: number): string {
  const told = problems === 0 ? 'Nothing is wrong' : count(problems, 'problem')
  return `${told}${warnings === 0 ? '' : `, ${count(warnings, 'warning')}`}.`
}

async function examine(cwd: string, given: string | undefined): Promise<Finding[]> {
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
    const mend = isMissing ? 'go to the folder of your app, or make one with `portico init`' : 'mend it'
    return problem('CONFIG', error.message, mend)
  }
}

function isFinding(value: LoadedConfig | Finding): value is Finding {
  return 'level' in value
}

function showFinding({ level, code, message, mend }: Finding, { out, colors }: Terminal): void {
  const mark = level.padEnd(7)
  const painted = level === 'ok' ? mark : ((level === 'problem' ? colors?.error : colors?.warning)?.(mark) ?? mark)
  out(`${painted}  ${code.padEnd(11)}  ${message.replaceAll('\n', `\n${' '.repeat(22)}`)}`)
  if (mend !== undefined) out(`${' '.repeat(22)}→ ${mend}`)
}
