import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'

const sources = join(root, 'packages', 'http', 'src')
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.ts'))

/** The files whose text imports what the pattern says. */
function importersOf(module: RegExp): string[] {
  return files
    .filter((it) => module.test(readFileSync(join(sources, it), 'utf8')))
    .map((it) => it.replaceAll('\\', '/'))
}

it('knows Fastify in one file only', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(importersOf(/from 'fastify'/)).toEqual(['server/register.ts'])
})

it('turns errors into answers in one file only', () => {
  expect(importersOf(/\bDbError, type DbErrorCode\b/)).toEqual(['server/reply-error.ts'])
})

it('keeps the client apart from the server', () => {
  const client = files.filter((it) => it.startsWith('client'))
  expect(client.length).toBeGreaterThan(2)
  for (const file of client) {
    const imports = [...readFileSync(join(sources, file), 'utf8').matchAll(/^import (type )?.* from '([^']+)'$/gm)]
    for (const [, type, module = ''] of imports)
      expect(type ?? module, `${file} imports ${module}`).toMatch(/^type |^\.\//)
  }
})
