import { extname, resolve } from 'node:path'
import type { createSpec, OpenApiDocument, SpecChange } from '@portico/spec'
import { type Command, EXIT, type Invocation, type OptionValue, UsageError } from './command.ts'
import { ConfigError } from './config.ts'
import { readIfThere, replaceFile } from './files.ts'
import { loadApp, loadConfig } from './load-config.ts'
import { count } from './shared/count.ts'
import { isObject } from './shared/objects.ts'

type Controllers = Parameters<typeof createSpec>[0]

/** `portico spec` and `portico spec diff` */
export const spec: Command = {
  summary: 'write the API description, or compare two versions of it',
  help: `Usage: portico spec [options]
       portico spec diff <old> [new] [options]

Writes the OpenAPI description of the app. The module set as app in portico.config.ts exports, as \`app\` or as its
default, the result of createApp(), a list of controllers, or a function that returns one of these. If there is a
specController among the controllers, its options apply.

\`diff\` lists the changes between two descriptions and exits with 1 if a change may break existing clients.
Both are files written by \`portico spec\`, in JSON or YAML, or JSON files from other tools. Without a second file, the
old description is compared with the app.

Options:
  --out <file>          the file to write (default: standard output)
  --format <json|yaml>  output format (default: from the file extension, or json)
  --config <file>       configuration file (default: portico.config.ts here or in a parent folder)
  --json                with diff: print the changes as JSON

Examples:
  portico spec --out openapi.json
  portico spec --format yaml
  portico spec diff published.json openapi.json
  portico spec diff published.json          in continuous integration`,
  options: {
    out: { type: 'string' },
    format: { type: 'string' },
    config: { type: 'string' },
  },
  run: (invocation) => {
    const [first, ...files] = invocation.paths
    if (first === 'diff') return runDiff(invocation, files)
    if (first !== undefined) throw new UsageError(`unexpected argument ${first}; use --out to name the output file`)
    return runSpec(invocation)
  },
}

async function runSpec(invocation: Invocation): Promise<number> {
  const { cwd, options, terminal } = invocation
  const out = textOf(options['out'])
  const format = readFormat(textOf(options['format']) ?? formatOf(out))
  const document = await describeApp(invocation)
  const { writeYaml } = await import('@portico/spec')
  const text = format === 'yaml' ? writeYaml(document) : `${JSON.stringify(document, null, 2)}\n`
  if (out === undefined) {
    terminal.write(text)
    return EXIT.ok
  }
  const path = resolve(cwd, out)
  const isNew = readIfThere(path) !== text
  if (isNew) replaceFile(path, text)
  terminal.out(isNew ? `wrote ${out}` : `${out} is unchanged`)
  return EXIT.ok
}

async function runDiff(invocation: Invocation, files: readonly string[]): Promise<number> {
  const { cwd, options, terminal } = invocation
  const [old, current, ...more] = files
  if (old === undefined || more.length > 0)
    throw new UsageError('portico spec diff takes an old description and optionally a new one')
  const { diffSpecs } = await import('@portico/spec')
  const before = await readDocument(cwd, old)
  const after = current === undefined ? await describeApp(invocation) : await readDocument(cwd, current)
  const changes = diffSpecs(before, after)
  if (options['json']) terminal.out(JSON.stringify({ changes }))
  else showChanges(invocation, changes)
  return changes.some((it) => it.breaking) ? EXIT.problems : EXIT.ok
}

function showChanges({ terminal }: Invocation, changes: readonly SpecChange[]): void {
  const paint = terminal.colors?.error ?? ((text: string): string => text)
  for (const { breaking, operation, message } of changes) {
    if (breaking) terminal.err(`${paint('breaking')} ${operation}: ${message}`)
    else terminal.out(`compatible ${operation}: ${message}`)
  }
  const breaking = changes.filter((it) => it.breaking).length
  terminal.out(`${count(breaking, 'breaking change')}, ${changes.length - breaking} compatible`)
}

async function describeApp({ cwd, options }: Invocation): Promise<OpenApiDocument> {
  const config = await loadConfig(cwd, textOf(options['config']))
  const module = await loadApp(config)
  const { createSpec } = await import('@portico/spec')
  return createSpec(await readControllers(module['app'] ?? module['default'], `${config.app}`))
}

async function readControllers(exported: unknown, path: string): Promise<Controllers> {
  const made: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported)
  if (Array.isArray(made)) return made as Controllers
  const { routes } = (made ?? {}) as { routes?: unknown }
  if (Array.isArray(routes)) return routes as Controllers
  throw new ConfigError(
    'APP_MISSING',
    `${path} does not export an app: export \`app\` or a default, as an app or a list of controllers`,
  )
}

async function readDocument(cwd: string, file: string): Promise<OpenApiDocument> {
  const text = readIfThere(resolve(cwd, file))
  if (text === undefined) throw new UsageError(`file not found: ${file}`)
  const document = await parseDocument(text, file)
  if (!isObject(document) || typeof document['openapi'] !== 'string' || !isObject(document['paths'])) {
    throw new UsageError(`${file} is not an OpenAPI description`)
  }
  return document as unknown as OpenApiDocument
}

async function parseDocument(text: string, file: string): Promise<unknown> {
  const { readYaml, SpecError } = await import('@portico/spec')
  try {
    return formatOf(file) === 'yaml' ? readYaml(text) : JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SpecError)) throw new UsageError(`${file} is not an OpenAPI description in JSON`)
    throw new UsageError(`${file}: ${error.message}; use JSON instead`)
  }
}

function formatOf(file: string | undefined): string {
  return /^\.ya?ml$/.test(extname(file ?? '')) ? 'yaml' : 'json'
}

function readFormat(format: string): 'json' | 'yaml' {
  if (format === 'json' || format === 'yaml') return format
  throw new UsageError(`--format must be json or yaml, not ${format}`)
}

function textOf(value: OptionValue): string | undefined {
  return typeof value === 'string' ? value : undefined
}
