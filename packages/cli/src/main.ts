import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { check } from './check.ts'
import { type Command, EXIT, type OptionValue, UsageError } from './command.ts'
import { dev } from './dev/dev.ts'
import { doctor } from './doctor/doctor.ts'
import { format } from './format.ts'
import { generate } from './generate.ts'
import { init } from './init/init.ts'
import { login } from './login/login.ts'
import { logout } from './login/logout.ts'
import { whoami } from './login/whoami.ts'
import { spec } from './spec.ts'
import { sync } from './sync.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const commands: ReadonlyMap<string, Command> = new Map([
  ['init', init],
  ['generate', generate],
  ['check', check],
  ['format', format],
  ['sync', sync],
  ['spec', spec],
  ['dev', dev],
  ['doctor', doctor],
  ['login', login],
  ['logout', logout],
  ['whoami', whoami],
])

const help = `Usage: portico <command> [options]

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

Options:
  --help     show help for portico or for a command
  --version  print the version
  --json     print results as JSON

Exit codes: 0 success, 1 problems found, 2 the command failed.

Examples:
  portico init notes
  portico dev
  portico login http://localhost:3000`

/**
 * Runs a command, writes to standard output and standard error, and returns the exit code.
 *
 * ```ts
 * process.exitCode = await run(['generate', 'schema/'])
 * ```
 */
export async function run(args: readonly string[]): Promise<number> {
  const { stdout, stderr } = process
  const terminal = openTerminal(process.env, { out: stdout.isTTY, err: stderr.isTTY })
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    showError(args, error as Error, terminal)
    return EXIT.error
  }
}

/** Prints the error of a failed command, as JSON with `--json` even if the arguments are invalid. */
function showError(args: readonly string[], error: Error & { readonly code?: unknown }, terminal: Terminal): void {
  const { message } = error
  const isUsage = error instanceof UsageError
  const end = args.indexOf('--')
  if ((end < 0 ? args : args.slice(0, end)).includes('--json')) {
    const code = typeof error.code === 'string' ? error.code : 'FAILED'
    terminal.out(JSON.stringify({ error: { code, message } }))
    return
  }
  const command = commands.has(args[0] ?? '') ? `${args[0]} ` : ''
  terminal.err(`portico: ${message}${isUsage ? `\nTry \`portico ${command}--help\`.` : ''}`)
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(commands.get(rest[0] ?? '')?.help ?? help)
    return EXIT.ok
  }
  if (name === '--version' || name === '-v') {
    terminal.out(readVersion())
    return EXIT.ok
  }
  const command = commands.get(name)
  if (!command) throw new UsageError(`unknown command ${name}; available: ${[...commands.keys()].join(', ')}`)
  const { values, positionals } = readArguments(command, rest)
  if (values['help']) {
    terminal.out(command.help)
    return EXIT.ok
  }
  const options = values as Record<string, OptionValue>
  return command.run({ cwd: process.cwd(), paths: positionals, options, terminal })
}

const shared = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } } as const

/** Parses the arguments leniently and checks them afterwards, for better error messages. */
function readArguments(command: Command, args: string[]) {
  const options = { ...command.options, ...shared }
  const given = args.map((arg, index) => (lacksOptionalValue(options, arg, args[index + 1]) ? `${arg}=` : arg))
  const read = parseArgs({ args: given, options, allowPositionals: true, strict: false, tokens: true })
  for (const token of read.tokens) if (token.kind === 'option') checkOption(token, options)
  return read
}

/** True if the argument is an option with an optional value that is omitted. */
function lacksOptionalValue(options: Command['options'], arg: string, next: string | undefined): boolean {
  const name = arg.slice(2)
  const option = arg.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined
  return option?.optional === true && (next === undefined || next.startsWith('-'))
}

interface GivenOption {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function checkOption({ name, rawName, value, inlineValue }: GivenOption, options: Command['options']): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (!option) {
    const names = Object.keys(options).map((it) => `--${it}`)
    throw new UsageError(`unknown option ${rawName}; available: ${names.join(', ')}`)
  }
  // In `sync --allow --plan`, --plan must not become the value of --allow: the sync would be applied.
  const isMissing = value === undefined || (inlineValue === false && /^-./.test(value))
  if (option.type === 'string' && isMissing) throw new UsageError(`${rawName} needs a value`)
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} does not take a value`)
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
