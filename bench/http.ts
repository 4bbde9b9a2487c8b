import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './support/statistics.ts'

export const title = 'How much does `@portico/http` cost?'

const rounds = 7
/** The warm-up time, until V8 has optimized the code. */
const warmUpRounds = 3
const sliceSeconds = 2
const connections = 32

/** Installed for the measurement only, beside the repository. */
const peers = {
  autocannon: '8.0.0',
  hono: '4',
  '@hono/node-server': '1',
  '@nestjs/common': '11',
  '@nestjs/core': '11',
  '@nestjs/platform-fastify': '11',
  'class-validator': '0.14',
  'class-transformer': '0.5',
  'reflect-metadata': '0.2',
  rxjs: '7',
}

interface Question {
  readonly name: string
  readonly request: { readonly method: string; readonly path: string; readonly body?: string }
  readonly expected: unknown
  readonly contenders: readonly string[]
  /** The baseline of the others. */
  readonly limit: string
}

const item = { title: 'Write it down', count: 3, tags: ['a', 'b', 'c'] }
const stack = ['raw', 'fastify', 'fastifyAlike', 'portico', 'hono', 'nest']
const questions: readonly Question[] = [
  {
    name: 'JSON GET, one path and one query parameter',
    request: { method: 'GET', path: '/items/7?page=2' },
    expected: { id: 7, page: 2, name: 'item' },
    contenders: stack,
    limit: 'raw',
  },
  {
    name: 'validated POST',
    request: { method: 'POST', path: '/items', body: JSON.stringify(item) },
    expected: { id: 1, ...item },
    contenders: stack,
    limit: 'raw',
  },
  {
    name: '`GET /one` of a table on SQLite',
    request: { method: 'GET', path: '/groups/one?region=eu&code=7' },
    expected: { region: 'eu', code: 7, title: 'One of many' },
    contenders: ['tableByHand', 'table'],
    limit: 'tableByHand',
  },
]

const labels: Record<string, string> = {
  raw: 'node:http + Ajv, the limit',
  fastify: 'Fastify, written by hand with the same schema',
  fastifyAlike: 'Fastify, the same with request ids in the answers and a time limit for requests',
  portico: '**@portico/http**',
  hono: 'Hono + Ajv',
  nest: 'NestJS on Fastify, class-validator',
  tableByHand: 'Fastify + better-sqlite3, written by hand',
  table: '**`tableController`**',
}

const notes = `Every response of Portico has a request id in a header, as in the second row of Fastify; plain Fastify sends none. Portico also refuses bodies with duplicate keys.
Before the measurement, all servers collect garbage a few times while idle, as every long-running server does. In Node, that makes \`process.nextTick\` slower for good: here by about 4 µs per request. Portico prevents this in its process; the other servers are measured as they are. Before the first such collections, any server is faster by that much.
Serializers compiled from the response schema were measured alone, not in the server. They save some tenths of a microsecond, and leave out fields that the schema does not name, so they are not used.
`

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  const servers = new Map<string, Server>()
  try {
    await installPeers(folder)
    pin(process.pid, 1)
    for (const name of new Set(questions.flatMap((it) => it.contenders)))
      servers.set(name, await startServer(name, folder))
    const sections = []
    for (const question of questions) sections.push(await measure(question, servers, loadAutocannon(folder)))
    return [...sections, notes].join('\n')
  } finally {
    for (const { child } of servers.values()) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function installPeers(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: peers }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict'], { cwd: folder })
}

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

/** Servers share the first core, one at a time. The load generator runs on another. */
async function startServer(name: string, folder: string): Promise<Server> {
  const program = fileURLToPath(new URL('http/server.mjs', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', program, name, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  pin(child.pid, 0)
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`the server of ${name} did not start`)))
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }]
  failed.catch(() => {})
  return { child, port }
}

function pin(pid: number | undefined, core: number): void {
  if (process.platform !== 'linux' || availableParallelism() < 2) return
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
}

type Autocannon = (
  options: object,
) => Promise<{ requests: { total: number }; duration: number; non2xx: number; errors: number }>

function loadAutocannon(folder: string): Autocannon {
  return createRequire(join(folder, 'index.js'))('autocannon') as Autocannon
}

interface Sample {
  readonly perSecond: number
  readonly cpuUs: number
}

async function measure(
  question: Question,
  servers: ReadonlyMap<string, Server>,
  autocannon: Autocannon,
): Promise<string> {
  const samples = new Map(question.contenders.map((it) => [it, [] as Sample[]]))
  for (const name of question.contenders) await checkAnswer(question, servers.get(name)!)
  // Contenders alternate, and each round begins with another one, so that slow phases of the machine affect all of them.
  for (let round = -warmUpRounds; round < rounds; round++) {
    const order = rotate(question.contenders, round + warmUpRounds)
    if (round === 1 - warmUpRounds) for (const name of order) await askCpu(servers.get(name)!, 'settle')
    for (const name of order) {
      const sample = await measureSlice(question, servers.get(name)!, autocannon)
      if (round >= 0) samples.get(name)!.push(sample)
    }
  }
  return render(question, samples)
}

function rotate<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

async function checkAnswer({ request, expected, name }: Question, { port }: Server): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${request.path}`, {
    method: request.method,
    ...(request.body !== undefined && { body: request.body, headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(expected)) throw new Error(`${name}: answered ${text}`)
}

async function measureSlice({ request, name }: Question, server: Server, autocannon: Autocannon): Promise<Sample> {
  const before = await askCpu(server)
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}${request.path}`,
    method: request.method,
    ...(request.body !== undefined && { body: request.body, headers: { 'content-type': 'application/json' } }),
    connections,
    duration: sliceSeconds,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`)
  const cpuUs = ((await askCpu(server)) - before) / result.requests.total
  return { perSecond: result.requests.total / result.duration, cpuUs }
}

async function askCpu({ child }: Server, asked: 'cpu' | 'settle' = 'cpu'): Promise<number> {
  child.send(asked)
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return cpu.user + cpu.system
}

function render({ name, limit }: Question, samples: ReadonlyMap<string, readonly Sample[]>): string {
  const base = samples.get(limit)!
  const rows = [...samples].map(([contender, own]) => {
    const ratio = median(own.map((it, round) => it.perSecond / base[round]!.perSecond))
    const cpuRatio = median(own.map((it, round) => base[round]!.cpuUs / it.cpuUs))
    const perSecond = Math.round(median(own.map((it) => it.perSecond)))
    const cpuUs = median(own.map((it) => it.cpuUs)).toFixed(1)
    return `| ${labels[contender]} | ${perSecond} | ${ratio.toFixed(2)} | ${cpuUs} | ${cpuRatio.toFixed(2)} |`
  })
  return `### ${name}

| | requests/s | ratio | processor µs per request | ratio by processor time |
|---|---:|---:|---:|---:|
${rows.join('\n')}
`
}
