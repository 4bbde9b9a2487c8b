// The command on any Node, as a process of its own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../bin/portico.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'portico-smoke-'))
try {
  writeFileSync(join(folder, 'a.portico'), 'interface A{a:string}')
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  assert.match(run('generate'), /wrote a\.portico\.ts/)
  assert.match(run('format'), /formatted a\.portico/)
  assert.match(run('generate', '--check'), /1 unchanged/)
  assert.match(run('init', 'app'), /wrote src\/notes\.portico\.ts/)
  assert.match(run('generate', 'app', '--check'), /1 unchanged/)
  assert.equal(readFileSync(join(folder, 'a.portico'), 'utf8'), 'interface A {\n  a: string\n}\n')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
