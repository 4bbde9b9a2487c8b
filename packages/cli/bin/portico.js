#!/usr/bin/env node
import { run } from '../dist/index.js'

process.stdout.on('error', (error) => {
  // A closed pipe, as in `portico check | head`, is not an error.
  if (error.code === 'EPIPE') return
  process.stderr.write(`portico: cannot write output: ${error.message}\n`)
  process.exit(2)
})
// If standard error fails, the exit code still reports the result.
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv.slice(2))

// A loaded app may keep connections and timers open. They must not keep the command running.
await Promise.all([process.stdout, process.stderr].map((it) => new Promise((done) => void it.write('', done))))
process.exit()
