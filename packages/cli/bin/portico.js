#!/usr/bin/env node
import { run } from '../dist/index.js'

process.stdout.on('error', (error) => {
  // A reader that goes away, as `portico check | head` does, is no failure.
  if (error.code === 'EPIPE') return
  process.stderr.write(`portico: the output cannot be written: ${error.message}\n`)
  process.exit(2)
})
// Where nothing can be told, the exit code still tells.
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv.slice(2))

// An app that a command loaded may hold connections and timers open: they do not keep the command from ending.
await Promise.all([process.stdout, process.stderr].map((it) => new Promise((done) => void it.write('', done))))
process.exit()
