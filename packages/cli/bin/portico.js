#!/usr/bin/env node
import { run } from '../dist/index.js'

// A reader that goes away, as `portico check | head` does, is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2))
