import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackage } from '../scripts/pack.mjs'
import { root } from '../scripts/run.mjs'
import { median } from './support/statistics.ts'

export const title = 'How long does it take to import `@portico/login`?'

const rounds = 60

/** Programs that end at once, each with one import more than the empty one. */
const contenders: Record<string, string> = {
  'an empty script': '',
  "`import 'node:http'`, which every loopback server needs": "import 'node:http'",
  '`@portico/login` as published (one file)': "import '@portico/login'",
  '`@portico/login` as built here (a file per module)': "import 'portico-login-modules'",
}

const report = `
process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write(String((user + system) / 1000))
})
`

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  try {
    await installLogin(folder)
    const files = await writePrograms(folder)
    return renderTable(measure(files))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function installLogin(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', '@portico', 'login')
  await mkdir(installed, { recursive: true })
  execFileSync('tar', ['-xzf', await packPackage('login', folder), '-C', installed, '--strip-components=1'])
  await symlink(join(root, 'packages', 'login'), join(folder, 'node_modules', 'portico-login-modules'), 'junction')
}

async function writePrograms(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [index, [name, source]] of Object.entries(contenders).entries()) {
    const file = join(folder, `program-${index}.mjs`)
    await writeFile(file, source + report)
    files.set(name, file)
  }
  return files
}

interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Contenders take turns, so that a slow moment of the machine hits all of them. */
function measure(files: Map<string, string>): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>([...files.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, file] of files) {
      const started = performance.now()
      const cpuMs = Number(execFileSync(process.execPath, [file], { encoding: 'utf8' }))
      samples.get(name)?.push({ wallMs: performance.now() - started, cpuMs })
    }
  }
  return samples
}

function renderTable(samples: Map<string, Sample[]>): string {
  const empty = samples.get('an empty script') ?? []
  const rows = [...samples].map(([name, own]) => {
    const ratio = median(own.map((sample, round) => sample.wallMs / (empty[round]?.wallMs ?? Number.NaN)))
    const wall = median(own.map((sample) => sample.wallMs))
    const cpu = median(own.map((sample) => sample.cpuMs))
    return `| ${name} | ${ratio.toFixed(2)} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} |`
  })
  return [
    `Whole processes, ${rounds} rounds, medians.`,
    '',
    '| program | ratio to empty | wall, ms | CPU, ms |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
