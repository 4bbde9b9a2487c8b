import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A failed check, with the request that shows it. */
export interface Finding {
  readonly code: string
  readonly operation: string
  readonly message: string
  /** The request line and the body. */
  readonly request: string
  /** The status and the body. */
  readonly answer: string
  /** The steps before it in the same scenario, each as `METHOD address status`. */
  readonly earlier: readonly string[]
}

export interface SchemathesisRun {
  /** The number of generated requests. */
  readonly cases: number
  readonly operations: { readonly total: number; readonly tested: number; readonly errored: number }
  /** Why it stopped: `completed` unless it was cut short. */
  readonly stopReason: string
  readonly findings: readonly Finding[]
}

export interface SchemathesisOptions {
  /** The program. */
  readonly program: string
  /** Where the app is. */
  readonly address: string
  readonly token: string
  /** The number of generated requests per operation while fuzzing. */
  readonly examples: number
}

const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url))

/** Has Schemathesis try an app by its description, with every check, in every phase, from a fixed seed. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisRun> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-schemathesis-'))
  try {
    const args = [
      `--config-file ${config} run ${options.address}/api-docs/spec.json`,
      '--checks all --phases examples,coverage,fuzzing,stateful',
      `--seed 1 --max-examples ${options.examples} --workers 1`,
      `--report json,ndjson --report-dir ${folder}`,
    ].flatMap((it) => it.split(' '))
    const printed = await run(options.program, folder, [...args, '--header', `Authorization: Bearer ${options.token}`])
    const reports = await readdir(folder)
    const read = async (end: string): Promise<string> => {
      const name = reports.find((it) => it.endsWith(end))
      if (name === undefined) throw new Error(`Schemathesis wrote no report:\n${printed.slice(-4000)}`)
      return readFile(join(folder, name), 'utf8')
    }
    const summary = JSON.parse(await read('.json')) as Summary
    if (summary.errors.length > 0) throw new Error(`Schemathesis failed: ${JSON.stringify(summary.errors)}`)
    const lines = (await read('.ndjson')).split('\n').filter((it) => it !== '')
    return {
      cases: summary.test_cases.generated,
      operations: summary.operations,
      stopReason: summary.stop_reason,
      findings: lines.map((it) => JSON.parse(it) as RunEvent).flatMap(readFindings),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Summary {
  readonly stop_reason: string
  readonly test_cases: { readonly generated: number }
  readonly operations: SchemathesisRun['operations']
  readonly errors: readonly unknown[]
}

interface RunEvent {
  readonly ScenarioFinished?: { readonly recorder: Recorder }
}

interface Recorder {
  readonly checks?: Readonly<Record<string, readonly Check[]>>
  readonly interactions?: Readonly<Record<string, Interaction>>
}

interface Check {
  readonly failure_info?: {
    readonly failure: {
      readonly code: string
      readonly operation: string
      readonly title: string
      readonly message: string
    }
  }
}

interface Content {
  readonly $base64: string
}

interface Interaction {
  readonly request: { readonly method: string; readonly uri: string; readonly body?: Content | null }
  readonly response: { readonly status_code: number; readonly content?: Content | null } | null
}

function readFindings({ ScenarioFinished: scenario }: RunEvent): Finding[] {
  const { checks = {}, interactions = {} } = scenario?.recorder ?? {}
  return Object.entries(checks).flatMap(([id, all]) =>
    all.flatMap(({ failure_info: info }) => (info ? [describe(info.failure, id, interactions)] : [])),
  )
}

function describe(
  { code, operation, title, message }: NonNullable<Check['failure_info']>['failure'],
  id: string,
  interactions: Readonly<Record<string, Interaction>>,
): Finding {
  const interaction = interactions[id]
  const ids = Object.keys(interactions)
  const before = ids.slice(0, ids.indexOf(id)).map((it) => interactions[it]!)
  const { method = '', uri = '', body } = interaction?.request ?? {}
  const { status_code: status = 0, content } = interaction?.response ?? {}
  return {
    code,
    operation,
    message: `${title}: ${message}`,
    request: `${method} ${uri} ${textOf(body)}`.trim(),
    answer: `${status} ${textOf(content)}`.trim(),
    earlier: before.map((it) => `${it.request.method} ${it.request.uri} ${it.response?.status_code ?? 0}`),
  }
}

function textOf(content: Content | null | undefined): string {
  return content ? Buffer.from(content.$base64, 'base64').toString() : ''
}

/** The output of a program. Exit code 1 is fine: it means that there are findings. */
function run(program: string, cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1' }
  return new Promise((resolve, reject) => {
    // It keeps what it learned where it runs.
    execFile(program, args, { cwd, env, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(`${error.message}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`))
      else resolve(stdout + stderr)
    })
  })
}
