import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/run.mjs'
import { mariadbFound, startMariadb } from '../test/support/mariadb.ts'
import { postgresFound, startPostgres } from '../test/support/postgres.ts'
import { installPeer, shareDrivers } from './support/peers.ts'
import { median } from './support/statistics.ts'
import { BATCH, GROUP, type OperationName, operations, ROWS } from './tables/work.ts'

export const title = 'How much do tables cost over the driver?'

const rounds = 40

/** The number of calls in one slice, about ten milliseconds. */
const counts: Record<OperationName, number> = {
  insertOne: 400,
  insertMany: 2,
  findById: 1000,
  findMany: 100,
  updateOne: 400,
  deleteOne: 400,
}

const labels: Record<string, string> = {
  raw: 'the driver, by hand',
  portico: '**`@portico/db`**',
  drizzlePrepared: 'drizzle-orm, prepared',
  drizzle: 'drizzle-orm',
  kysely: 'kysely',
  typeorm: 'TypeORM',
  prisma: 'Prisma',
}

const remarks = `\`updateOne\` has the largest overhead. drizzle-orm's prepared statements, which validate nothing, are faster there. The goal is 0.85. Looking up the shape of an update field by field instead of by a string gained 0.05; passing parameters one by one instead of as a list gained nothing. The rest is validation of the input, the key, and a promise.`

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-tables-'))
  try {
    const installed = await installPeers(folder)
    const sqlite = await measureEngine('sqlite', folder, (name) => join(folder, `${name}.db`), [
      'raw',
      'portico',
      ...['drizzlePrepared', 'drizzle', 'kysely', 'typeorm', 'prisma'].filter((name) => installed.has(name)),
    ])
    const postgres = postgresFound
      ? await measurePostgres(folder, installed)
      : 'PostgreSQL was not found on this machine.'
    const mariadb = mariadbFound ? await measureMariadb(folder, installed) : 'MariaDB was not found on this machine.'
    const parts = ['### SQLite', sqlite, remarks, '### PostgreSQL', postgres, '### MariaDB', mariadb]
    return [describeWork(installed), ...parts].join('\n\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describeWork(installed: ReadonlyMap<string, string>): string {
  const versions = [...new Set([...installed.values()].filter((it) => it !== ''))].join(', ')
  const missing = Object.keys(labels).filter((name) => name !== 'raw' && name !== 'portico' && !installed.has(name))
  const left =
    missing.length > 0 ? ` Could not be installed here: ${missing.map((name) => labels[name]).join(', ')}.` : ''
  return `A table of 8 fields with a boolean, a JSON array and a nested object in two columns, ${ROWS} records, an index. \`insertMany\` inserts ${BATCH} at a time, \`findMany\` finds ${GROUP} by the index. Portico checks all input. One process per tool, ${rounds} rounds taking turns; results are checked first. Figures are speeds relative to the driver, as medians of the ratios of all rounds: by wall time, and in parentheses by CPU time of the process. Compared with ${versions}.${left}`
}

/** The installed contenders, each with its version. */
async function installPeers(folder: string): Promise<Map<string, string>> {
  const installed = new Map<string, string>()
  const install = async (names: readonly string[], ...packages: readonly [string, ...string[]]): Promise<boolean> => {
    const version = await installPeer(folder, ...packages)
    if (version !== undefined) for (const each of names) installed.set(each, version)
    return version !== undefined
  }
  await install(['drizzle', 'drizzlePrepared'], 'drizzle-orm')
  await install(['kysely'], 'kysely')
  await install(['typeorm'], 'typeorm', 'reflect-metadata')
  if (await install(['prisma'], 'prisma', '@prisma/client', '@prisma/adapter-better-sqlite3')) {
    await generatePrisma(folder).catch(() => installed.delete('prisma'))
  }
  await shareDrivers(folder, ['better-sqlite3', 'pg', 'mysql2'])
  return installed
}

async function generatePrisma(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'schema.prisma'),
    `generator client { provider = "prisma-client", output = "./prisma-source", engineType = "client" }
datasource db { provider = "sqlite" }
model items {
  id Int @id @default(autoincrement())
  name String
  email String
  groupId Float
  active Boolean
  score Float
  tags String
  address__city String
  address__zip String
  @@index([groupId])
}
`.replace(/\{ (provider[^}]*) \}/g, (_, body: string) => `{\n${body.split(', ').join('\n')}\n}`),
  )
  // Generating needs no engine, but Prisma fetches one from the network unless a setting says that there is one.
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_ENGINES_CHECKSUM_IGNORE_MISSING: '1' }
  const env = { ...process.env, ...engine, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' }
  execFileSync('npx', ['prisma', 'generate', '--schema', 'schema.prisma'], {
    cwd: folder,
    env,
    stdio: 'pipe',
    timeout: 120_000,
  })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--noCheck',
    '--rewriteRelativeImportExtensions',
  ]
  execFileSync(process.execPath, [tsc, ...options, '--outDir', 'prisma-client', 'prisma-source/client.ts'], {
    cwd: folder,
    stdio: 'pipe',
  })
}

async function measurePostgres(folder: string, installed: ReadonlyMap<string, string>): Promise<string> {
  await using server = await startPostgres()
  const names = ['raw', 'portico', ...['drizzle', 'kysely'].filter((name) => installed.has(name))]
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString: server.url })
  for (const name of names) await pool.query(`CREATE DATABASE bench_${name}`)
  await pool.end()
  return await measureEngine('postgres', folder, (name) => server.url.replace(/postgres$/, `bench_${name}`), names)
}

async function measureMariadb(folder: string, installed: ReadonlyMap<string, string>): Promise<string> {
  await using server = await startMariadb()
  const names = ['raw', 'portico', ...['drizzle', 'kysely'].filter((name) => installed.has(name))]
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server.url)
  for (const name of names) await connection.query(`CREATE DATABASE bench_${name}`)
  await connection.end()
  return await measureEngine('mysql', folder, (name) => server.url.replace(/mysql$/, `bench_${name}`), names)
}

interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
}

type Samples = Record<OperationName, Sample[]>

async function measureEngine(
  engine: string,
  folder: string,
  place: (name: string) => string,
  names: readonly string[],
): Promise<string> {
  const workers = new Map<string, ChildProcess>()
  const failed: string[] = []
  try {
    for (const name of names) {
      const worker = await startWorker(engine, folder, name, place(name))
      if (worker) workers.set(name, worker)
      else failed.push(labels[name] ?? name)
    }
    const samples = await takeSamples(workers, engine === 'sqlite' ? 1 : 4)
    const note = failed.length > 0 ? [`\nDid not work here: ${failed.join(', ')}.`] : []
    return [...renderTable(samples), ...note].join('\n')
  } finally {
    for (const worker of workers.values()) worker.kill()
  }
}

async function startWorker(
  engine: string,
  folder: string,
  name: string,
  place: string,
): Promise<ChildProcess | undefined> {
  const args = [join(root, 'bench', 'tables', `${engine}-contenders.ts`), name, place]
  const worker = fork(join(root, 'bench', 'tables', 'worker.ts'), args, {
    execArgv: ['--import', '@oxc-node/core/register', '--no-deprecation'],
    env: { ...process.env, PORTICO_BENCH_PEERS: folder },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const answer = await Promise.race([once(worker, 'message'), once(worker, 'exit')])
  return answer[0] === 'ready' ? worker : undefined
}

/** Contenders take turns in short slices, so that a slow moment of the machine hits all of them. */
async function takeSamples(workers: ReadonlyMap<string, ChildProcess>, divisor: number): Promise<Map<string, Samples>> {
  const empty = (): Samples => ({
    insertOne: [],
    insertMany: [],
    findById: [],
    findMany: [],
    updateOne: [],
    deleteOne: [],
  })
  const samples = new Map([...workers.keys()].map((name) => [name, empty()]))
  const warmUp = 5
  for (let round = -warmUp; round < rounds; round++) {
    for (const operation of operations) {
      for (const [name, worker] of workers) {
        worker.send({ operation, count: Math.ceil(counts[operation] / divisor) })
        const [sample] = (await once(worker, 'message')) as [Sample]
        if (round >= 0) samples.get(name)![operation].push(sample)
      }
    }
  }
  return samples
}

function renderTable(samples: ReadonlyMap<string, Samples>): string[] {
  const limit = samples.get('raw')!
  const rows = [...samples].map(([name, own]) => {
    const cells = operations.map((operation) => {
      const ratio = (part: keyof Sample): string =>
        median(own[operation].map((sample, round) => limit[operation][round]![part] / sample[part])).toFixed(2)
      return `${ratio('wallMs')} (${ratio('cpuMs')})`
    })
    return `| ${labels[name] ?? name} | ${cells.join(' | ')} |`
  })
  return [`| | ${operations.join(' | ')} |`, `|---|${operations.map(() => '---|').join('')}`, ...rows]
}
