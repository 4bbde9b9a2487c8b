import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { compile } from '@portico/schema'
import type { TableModel } from '@portico/schema/model'
import BetterSqlite from 'better-sqlite3'
import { root } from '../scripts/run.mjs'
import { postgresFound, startPostgres } from '../test/support/postgres.ts'
import { installPeer, shareDrivers } from './support/peers.ts'
import { median } from './support/statistics.ts'
import { installPrisma, type PrismaPush, prismaBig, prismaModel } from './sync/prisma-push.ts'

export const title = 'How long does sync take?'

const TABLES = 500
const ROWS = 1_000_000

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-sync-'))
  try {
    const peers = await installPeers(folder)
    const lines = [...(await measureEmpty(folder, peers)), ...(await measureRebuild(folder, peers))]
    return [describeWork(peers), lines.join('\n')].join('\n\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describeWork({ versions, missing }: Peers): string {
  const prisma =
    '`prisma db push` of Prisma 7 needs a native engine that is downloaded from its own server, which was not possible here. The last release with a WebAssembly engine is measured instead.'
  const beside = versions.length > 0 ? versions.join(', ') : 'nothing'
  return `An empty plan: ${TABLES} tables of 8 columns, an index and a foreign key each, already in the database as declared. A rebuild: ${ROWS.toLocaleString('en')} rows of 6 columns with an index. One column becomes optional, for which SQLite has to copy the table. Medians of several runs. Commands are whole processes, from start to end. Compared with ${beside}. ${prisma}${missing.map((it) => ` ${it} could not be installed here.`).join('')}`
}

interface Peers {
  readonly hasDrizzle: boolean
  readonly prisma: PrismaPush | undefined
  readonly versions: readonly string[]
  readonly missing: readonly string[]
}

async function installPeers(folder: string): Promise<Peers> {
  const drizzle = await installPeer(folder, 'drizzle-kit', 'drizzle-orm')
  if (drizzle !== undefined) await shareDrivers(folder, ['better-sqlite3', 'bindings', 'file-uri-to-path'])
  const prisma = await installPrisma(folder)
  return {
    hasDrizzle: drizzle !== undefined,
    prisma,
    versions: [drizzle, prisma?.version].filter((it) => it !== undefined),
    missing: [...(drizzle === undefined ? ['drizzle-kit'] : []), ...(prisma ? [] : ['Prisma'])],
  }
}

async function measureEmpty(folder: string, { hasDrizzle, prisma }: Peers): Promise<string[]> {
  const text = Array.from({ length: TABLES }, (_, n) => portico(n)).join('\n')
  const tables = models(text)
  const file = join(folder, 'empty.db')
  const db = await openDatabase(sqlite({ file }))
  await db.sync(tables)
  const inside = await repeat(9, () => db.sync(tables))
  await db.close()
  const project = await makeProject(join(folder, 'portico'), text, file)
  const command = await repeat(5, () => runCommand(project, join(root, 'packages/cli/bin/portico.js'), ['sync']))
  const rows = [
    '| an empty plan over 500 tables | ms |',
    '|---|---|',
    `| **\`db.sync\`**, SQLite | ${inside} |`,
    ...(postgresFound ? [`| **\`db.sync\`**, PostgreSQL | ${await measurePostgres(tables)} |`] : []),
    `| **\`portico sync\`**, SQLite | ${command} |`,
  ]
  if (hasDrizzle) rows.push(`| \`drizzle-kit push\`, SQLite | ${await measureEmptyDrizzle(folder)} |`)
  if (prisma) rows.push(`| \`prisma db push\`, SQLite | ${await measureEmptyPrisma(folder, prisma)} |`)
  return [...rows, '']
}

async function measureEmptyDrizzle(folder: string): Promise<number> {
  const tables = Array.from({ length: TABLES }, (_, n) => drizzle(n)).join('\n')
  await writeFile(join(folder, 'empty.ts'), drizzleHead + tables)
  const push = drizzlePush(folder, 'empty')
  push()
  return repeat(3, push)
}

/** On a database that it made itself. */
async function measureEmptyPrisma(folder: string, prisma: PrismaPush): Promise<number> {
  const tables = Array.from({ length: TABLES }, (_, n) => prismaModel(n, n === TABLES - 1)).join('\n')
  const push = await prismaPush(prisma, 'empty', join(folder, 'prisma-empty.db'), tables)
  push()
  return repeat(3, push)
}

async function prismaPush(prisma: PrismaPush, name: string, file: string, tables: string): Promise<() => void> {
  const { cwd, program, args, env } = await prisma.prepare(name, file, tables)
  return () => runCommand(cwd, program, args, env)
}

async function measurePostgres(tables: readonly TableModel[]): Promise<number> {
  await using server = await startPostgres()
  await using db = await openDatabase(postgres({ url: server.url }))
  await db.sync(tables)
  return await repeat(9, () => db.sync(tables))
}

async function measureRebuild(folder: string, { hasDrizzle, prisma }: Peers): Promise<string[]> {
  const [before, after] = [big(''), big('?')]
  const origin = join(folder, 'origin.db')
  const db = await openDatabase(sqlite({ file: origin }))
  await db.sync(models(before))
  await db.close()
  fillBig(origin)
  const file = join(folder, 'rebuild.db')
  const renew = (): Promise<void> => cp(origin, file)
  const byHand = await repeat(3, () => rebuildByHand(file), renew)
  const inside = await repeat(3, () => syncOnce(file, models(after)), renew)
  const project = await makeProject(join(folder, 'big'), after, file)
  const command = await repeat(3, () => runCommand(project, join(root, 'packages/cli/bin/portico.js'), ['sync']), renew)
  const rows = [
    `| a rebuild of ${ROWS.toLocaleString('en')} rows on SQLite | ms |`,
    '|---|---|',
    `| the statements, by hand | ${byHand} |`,
    `| **\`db.sync\`** | ${inside} |`,
    `| **\`portico sync\`** | ${command} |`,
  ]
  if (hasDrizzle) rows.push(`| \`drizzle-kit push\` | ${await measureDrizzle(folder)} |`)
  if (prisma) rows.push(`| \`prisma db push\` | ${await measurePrisma(folder, prisma)} |`)
  return rows
}

/** On a database that it made itself. */
async function measurePrisma(folder: string, prisma: PrismaPush): Promise<string> {
  const [file, origin] = [join(folder, 'prisma-big.db'), join(folder, 'prisma-origin.db')]
  const make = await prismaPush(prisma, 'before', file, prismaBig(''))
  make()
  fillBig(file)
  await cp(file, origin)
  const push = await prismaPush(prisma, 'after', file, prismaBig('?'))
  return pushOrFail(2, push, () => cp(origin, file))
}

/** On a database that it made itself. */
async function measureDrizzle(folder: string): Promise<string> {
  const push = drizzlePush(folder, 'rebuild')
  const [file, origin] = [join(folder, 'rebuild.db'), join(folder, 'drizzle.db')]
  await rm(file, { force: true })
  await writeFile(join(folder, 'rebuild.ts'), drizzleHead + drizzleBig('.notNull()'))
  push()
  fillBig(file)
  await cp(file, origin)
  await writeFile(join(folder, 'rebuild.ts'), drizzleHead + drizzleBig(''))
  return pushOrFail(2, push, () => cp(origin, file))
}

async function pushOrFail(times: number, push: () => void, before: () => Promise<unknown>): Promise<string> {
  try {
    return String(await repeat(times, push, before))
  } catch (error) {
    return `fails: ${(error as Error).message.split('\n')[0]}`
  }
}

/** The median time of some runs, in milliseconds. */
async function repeat(
  times: number,
  work: () => unknown,
  before: () => Promise<unknown> = async () => {},
): Promise<number> {
  const found: number[] = []
  for (let run = 0; run < times; run++) {
    await before()
    const start = performance.now()
    await work()
    found.push(performance.now() - start)
  }
  return Math.round(median(found))
}

async function syncOnce(file: string, tables: readonly TableModel[]): Promise<void> {
  await using db = await openDatabase(sqlite({ file }))
  await db.sync(tables)
}

function models(text: string): TableModel[] {
  const { models: files } = compile([{ path: 'bench.portico', text }])
  return files.flatMap((it) => it.declarations).flatMap((it) => it.table ?? [])
}

async function makeProject(folder: string, text: string, file: string): Promise<string> {
  await mkdir(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'all.portico'), text)
  const config = `import { sqlite } from '@portico/db/sqlite'\nexport default { database: sqlite({ file: ${JSON.stringify(file)} }) }\n`
  await writeFile(join(folder, 'portico.config.mjs'), config)
  return folder
}

function runCommand(cwd: string, program: string, args: readonly string[], more: Record<string, string> = {}): void {
  const env = { ...process.env, ...more }
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr || stdout)
}

function drizzlePush(folder: string, name: string): () => void {
  const program = join(folder, 'node_modules/drizzle-kit/bin.cjs')
  const args = ['push', '--force', '--dialect', 'sqlite', '--schema', `${name}.ts`, '--url', join(folder, `${name}.db`)]
  // It does not matter who created the database: the tables are the same, and tables of others are left out.
  return () => runCommand(folder, program, [...args, '--tablesFilter', '!portico__*'])
}

function portico(n: number): string {
  const link = n === 0 ? 'parent?: number' : `@db.rel.FK parent?: T${n - 1}.id`
  return `@db.table 't${n}' export interface T${n} { @meta.id id: number
  ${link}
  @db.index.plain a: string
  b: string
  c: number
  d: boolean
  e?: string
  @db.default 1 f: number }`
}

const drizzleHead = `import { sqliteTable, integer, text, real, index } from 'drizzle-orm/sqlite-core'\n`

function drizzle(n: number): string {
  const link =
    n === 0
      ? `real('parent')`
      : `integer('parent').references(() => t${n - 1}.id, { onDelete: 'restrict', onUpdate: 'restrict' })`
  return `export const t${n} = sqliteTable('t${n}', { id: integer('id').primaryKey().notNull(), parent: ${link}, a: text('a').notNull(),
  b: text('b').notNull(), c: real('c').notNull(), d: integer('d').notNull(), e: text('e'), f: real('f').notNull().default(1) }, (t) => [index('t${n}__a').on(t.a)])`
}

function big(optional: string): string {
  return `@db.table 'big' export interface Big { @meta.id id: number
  @db.index.plain a: string
  b${optional}: string
  c: number
  d: boolean
  e: string }`
}

function drizzleBig(rule: string): string {
  return `export const big = sqliteTable('big', { id: integer('id').primaryKey().notNull(), a: text('a').notNull(), b: text('b')${rule},
  c: real('c').notNull(), d: integer('d').notNull(), e: text('e').notNull() }, (t) => [index('big__a').on(t.a)])`
}

function fillBig(file: string): void {
  const db = new BetterSqlite(file)
  db.exec(`INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    SELECT i, 'name ' || (i * 7919 % 1000003), 'text ' || i, i * 0.5, i % 2, 'some more text' FROM n`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** The way that the engine's own documentation recommends. */
function rebuildByHand(file: string): void {
  const db = new BetterSqlite(file)
  db.exec(`PRAGMA foreign_keys = OFF;
    BEGIN IMMEDIATE;
    CREATE TABLE "new" ("id" INTEGER PRIMARY KEY NOT NULL, "a" TEXT NOT NULL, "b" TEXT, "c" REAL NOT NULL, "d" INTEGER NOT NULL, "e" TEXT NOT NULL);
    INSERT INTO "new" SELECT * FROM "big";
    DROP TABLE "big";
    ALTER TABLE "new" RENAME TO "big";
    CREATE INDEX "big__a" ON "big" ("a");
    COMMIT;`)
  db.close()
}
