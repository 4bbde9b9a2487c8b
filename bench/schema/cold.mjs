// Compiles once in a fresh process and prints what it took, as JSON. Argument: how many interfaces.
import { compile } from '@portico/schema'
import { porticoSources } from './sources.mjs'

const sources = porticoSources(Number(process.argv[2]))
const cpuBefore = process.cpuUsage()
const started = performance.now()
const { failed, modules } = compile(sources)
const wallMs = performance.now() - started
const { user, system } = process.cpuUsage(cpuBefore)
if (failed) throw new Error('the benchmark schema does not compile')
const bytes = modules.reduce((sum, it) => sum + it.code.length, 0)
console.log(
  JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 2 ** 20, bytes }),
)
