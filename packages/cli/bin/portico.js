#!/usr/bin/env node
import { run } from '../dist/index.js'

// A reader that goes away, as `portico check | head` does, is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2))

// An app that a command loaded may hold connections and timers open: they do not keep the command from ending.
await Promise.all([process.stdout, process.stderr].map((it) => new Promise((done) => void it.write('', done))))
process.exit()
