import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, format } from '@portico/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/http.ts'
import { root } from '../../../scripts/run.mjs'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The code blocks of a page that name a file. */
function blocksOf(page: string, language: string): { path: string; text: string }[] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => ({ path: path!, text: text! }))
}

function run(args: string[], cwd: string) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 20_000 })
}

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await read(path), 'run `npm run docs -- http`').toBe(text)
  })
})

describe('the examples', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-http-docs-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(['packages/http/README.md', 'docs/guide/controllers.md', 'docs/guide/table-routes.md'])(
    'of %s compile and run',
    async (page) => {
      const text = await read(page)
      const schemas = blocksOf(text, 'portico')
      for (const schema of schemas) expect(format(schema.text).text).toBe(schema.text)
      const { diagnostics, modules } = compile(schemas)
      expect(diagnostics).toEqual([])
      const programs = blocksOf(text, 'ts')
      expect(programs.map((it) => it.path)).toContain('app.ts')
      const place = join(folder, page.replaceAll(/\W/g, '-'))
      await mkdir(place)
      for (const { path, text: code } of [...modules.map((it) => ({ path: it.path, text: it.code })), ...programs]) {
        await writeFile(join(place, path), code)
      }
      // What the README says is all that is needed.
      const [config] = blocksOf(await read('packages/http/README.md'), 'json')
      const { compilerOptions } = JSON.parse(config!.text) as { compilerOptions: object }
      const strict = { ...compilerOptions, exactOptionalPropertyTypes: true }
      await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['.'] }))
      const compiled = run([join(root, 'node_modules/typescript/bin/tsc'), '-p', place], place)
      expect(compiled.stdout).toBe('')
      const ended = run([join(place, 'app.js')], place)
      expect([ended.stderr, ended.status]).toEqual(['', 0])
    },
    30_000,
  )
})
