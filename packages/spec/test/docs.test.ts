import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, format } from '@portico/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/spec.ts'
import { root } from '../../../scripts/run.mjs'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The code blocks of a page that name a file. */
function blocksOf(page: string, language: string): { path: string; text: string }[] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => ({ path: path!, text: text! }))
}

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await read(path), 'run `npm run docs -- spec`').toBe(text)
  })
})

describe('the examples', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-spec-docs-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(['packages/spec/README.md', 'docs/guide/api-docs.md'])(
    'of %s compile and run',
    async (page) => {
      const text = await read(page)
      const schemas = blocksOf(text, 'portico')
      for (const schema of schemas) expect(format(schema.text).text).toBe(schema.text)
      const { diagnostics, modules } = compile(schemas)
      expect(diagnostics).toEqual([])
      const programs = blocksOf(text, 'ts')
      expect(programs).toHaveLength(1)
      const place = join(folder, page.replaceAll(/\W/g, '-'))
      await mkdir(place)
      for (const it of [...modules.map(({ path, code }) => ({ path, text: code })), ...programs]) {
        await writeFile(join(place, it.path), it.text)
      }
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        module: 'nodenext',
        target: 'es2023',
        types: ['node'],
        skipLibCheck: true,
      }
      await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
      const run = (...args: string[]) =>
        spawnSync(process.execPath, args, { cwd: place, encoding: 'utf8', timeout: 60_000 })
      expect(run(join(root, 'node_modules/typescript/bin/tsc'), '-p', place).stdout).toBe('')
      const ended = run(join(place, 'app.js'))
      expect([ended.stderr, ended.status]).toEqual(['', 0])
    },
    120_000,
  )
})
