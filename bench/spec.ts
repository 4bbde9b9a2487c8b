import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './support/statistics.ts'

export const title = 'How long does it take to describe an API?'

const rounds = 7
const sizes = [500, 1000, 2500, 5000]

/** Installed for the measurement only, beside the repository. */
const peers = {
  '@nestjs/common': '11',
  '@nestjs/core': '11',
  '@nestjs/platform-express': '11',
  '@nestjs/swagger': '11',
  'reflect-metadata': '0.2',
  rxjs: '7',
}

interface Sample {
  readonly first: number
  readonly cpu: number
  readonly later: readonly number[]
}

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: peers }))
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict', '--ignore-scripts'],
      {
        cwd: folder,
      },
    )
    return `${besidePeer(folder)}\n${bySize(folder)}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Processes take turns, so that slow phases of the machine affect both. */
function besidePeer(folder: string): string {
  const samples: [Sample, Sample][] = []
  for (let round = 0; round < rounds; round++) {
    samples.push([measure('portico', 500, folder), measure('nest', 500, folder)])
  }
  const row = (name: string, index: 0 | 1): string => {
    const own = samples.map((it) => it[index])
    const faster = (value: (sample: Sample) => number): string =>
      median(samples.map((it) => value(it[1]) / value(it[index]))).toFixed(1)
    const cells = [(it: Sample) => it.first, (it: Sample) => it.cpu, (it: Sample) => median(it.later)].map(
      (value) => `${median(own.map(value)).toFixed(1)} (${faster(value)}×)`,
    )
    return `| ${name} | ${cells.join(' | ')} |`
  }
  return `500 operations of 100 controllers with 150 types, the same for both, each in a process of its own, ${rounds} rounds in turn. Medians; in parentheses how many times faster than @nestjs/swagger, as the median of the ratios of all rounds. The apps are built, and garbage is collected, before the clock starts. A program creates one description, the first; the later ones show warm code.

| | first, ms | first, processor ms | later, ms |
|---|---:|---:|---:|
${row('**`createSpec`**', 0)}
${row('@nestjs/swagger 11', 1)}
`
}

function bySize(folder: string): string {
  const rows = sizes.map((size) => {
    const samples = Array.from({ length: 3 }, () => measure('portico', size, folder))
    const later = median(samples.flatMap((it) => it.later))
    return `| ${size} | ${median(samples.map((it) => it.first)).toFixed(1)} | ${later.toFixed(1)} | ${((later / size) * 1000).toFixed(1)} |`
  })
  return `\`createSpec\` by the number of operations:

| operations | first, ms | later, ms | later, µs per operation |
|---:|---:|---:|---:|
${rows.join('\n')}
`
}

function measure(contender: 'portico' | 'nest', operations: number, folder: string): Sample {
  const worker = fileURLToPath(new URL('spec/worker.mjs', import.meta.url))
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', worker, contender, String(operations), folder], {
      encoding: 'utf8',
    }),
  ) as Sample
}
