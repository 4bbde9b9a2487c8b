import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prismaSchema } from './schema/sources.mjs'
import { median } from './support/statistics.ts'

export const title = 'Schema: compiling tables of ten fields'

const rounds = 5
const prismaVersion = '7.10.1'

interface Measurement {
  readonly wallMs: number
  readonly cpuMs: number
  readonly rssMb: number
  readonly bytes: number
}

export async function run(): Promise<string> {
  const sizes = [100, 1000, 10_000]
  // Sizes take turns, so that slow phases of the machine affect all of them.
  const found = new Map<number, Measurement[]>(sizes.map((size) => [size, []]))
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) found.get(size)!.push(compileCold(size))
  }
  const rows = sizes.map((size) => row(size, found.get(size)!))
  const ratio = median(found.get(10_000)!.map((it) => it.wallMs)) / median(found.get(1000)!.map((it) => it.wallMs))
  return `Each line is the median of ${rounds} fresh processes, from source text to generated text: lexing, parsing, checking, emitting. The best of them is in parentheses, because other load on the machine only ever adds time.

${rows.join('\n')}

Ten times the input takes ${ratio.toFixed(1)} times as long (1,000 to 10,000 interfaces).

${comparePrisma()}`
}

function compileCold(size: number): Measurement {
  const script = fileURLToPath(new URL('schema/cold.mjs', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script, String(size)], { encoding: 'utf8' })) as Measurement
}

function row(size: number, list: readonly Measurement[]): string {
  const best = Math.min(...list.map((it) => it.wallMs))
  const [wall, cpu, rss, bytes] = (['wallMs', 'cpuMs', 'rssMb', 'bytes'] as const).map((key) =>
    median(list.map((it) => it[key])),
  )
  const time = `${wall!.toFixed(0)} ms (best ${best.toFixed(0)} ms, CPU ${cpu!.toFixed(0)} ms)`
  return `- ${size.toLocaleString('en')} interfaces: ${time}, ${rss!.toFixed(0)} MB of memory, ${(bytes! / 1e6).toFixed(1)} MB generated`
}

/** `prisma generate` on the equal schema beside `portico generate`, both as whole commands. */
function comparePrisma(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    const install = [
      'install',
      `prisma@${prismaVersion}`,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      // The environment would pass on the strict npm settings of this project.
      '--engine-strict=false',
      '--loglevel=error',
    ]
    const installed = spawnSync('npm', install, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' })
    if (installed.status !== 0)
      return `Prisma ${prismaVersion} could not be installed here, so nothing stands beside it.`
    writeFileSync(join(folder, 'schema.prisma'), prismaSchema(1000))
    writeFileSync(join(folder, 'prisma.config.ts'), "export default { schema: './schema.prisma' }\n")
    const times = Array.from({ length: 3 }, () => timePrisma(folder))
    if (times.includes(undefined))
      return `\`prisma generate\` (${prismaVersion}) did not run here, so nothing stands beside it.`
    const prisma = median(times as number[])
    const ours = median(Array.from({ length: 3 }, () => timePortico()))
    return `Whole commands on 1,000 interfaces, process start included: \`prisma generate\` ${prismaVersion} ${prisma.toFixed(0)} ms; Portico, only compiling, ${ours.toFixed(0)} ms. Prisma generates a database client; Portico generates types, validators and JSON Schemas. So this compares waiting times, not the same work.`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timePrisma(folder: string): number | undefined {
  const started = performance.now()
  // Generating needs none of the engines that Prisma would download; naming any file keeps it from trying.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const tool = join(folder, 'node_modules', 'prisma', 'build', 'index.js')
  const { status } = spawnSync(process.execPath, [tool, 'generate'], { cwd: folder, env, encoding: 'utf8' })
  return status === 0 ? performance.now() - started : undefined
}

function timePortico(): number {
  const started = performance.now()
  compileCold(1000)
  return performance.now() - started
}
