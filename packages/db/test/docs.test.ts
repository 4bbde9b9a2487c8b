import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile, format } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/db.ts'
import { root } from '../../../scripts/run.mjs'
import { servers, type TemporaryFolder, temporaryFolder } from './support/engines.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The code blocks of a page that name a file. */
function blocksOf(page: string, language: string): [path: string, text: string][] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => [path!, text!])
}

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await read(path), 'run `npm run docs -- db`').toBe(text)
  })
})

describe('the examples', () => {
  it.each(['packages/db/README.md', 'docs/guide/tables.md'])('of %s compile and run', async (page) => {
    await runExamples(await read(page))
  })

  it('of docs/guide/writing-an-adapter.md compile', async () => {
    await using folder = await compileExamples(blocksOf(await read('docs/guide/writing-an-adapter.md'), 'ts'))
    expect(await readdir(folder.file('out'))).toEqual(['session.js', 'storage.js', 'suite.js'])
  })

  describe.each(servers)('on a server', ({ name, isThere, use }) => {
    describe.skipIf(!isThere)('', () => {
      const databases = use()
      it(`of docs/guide/tables.md run on ${name} as well`, async () => {
        const page = await read('docs/guide/tables.md')
        const opened = page
          .replace("import { sqlite } from '@portico/db/sqlite'", `import { ${name} } from '@portico/db/${name}'`)
          .replace("sqlite({ file: ':memory:' })", `${name}({ url: '${await databases.create()}' })`)
        expect(opened).not.toContain("from '@portico/db/sqlite'")
        await runExamples(opened)
      })
    })
  })

  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const databases = useMongo()
    it('of docs/guide/mongodb.md compile and run', async () => {
      const page = await read('docs/guide/mongodb.md')
      const opened = page.replace('mongodb://localhost:27017/shop', databases.create())
      expect(opened).not.toBe(page)
      await runExamples(opened)
    })
  })
})

async function runExamples(text: string): Promise<void> {
  const schemas = blocksOf(text, 'portico')
  for (const [, schema] of schemas) expect(format(schema).text).toBe(schema)
  const { diagnostics, modules } = compile(schemas.map(([path, schema]) => ({ path, text: schema })))
  expect(diagnostics).toEqual([])
  const programs = blocksOf(text, 'ts')
  expect(programs).toHaveLength(1)
  const generated = modules.map((it): [string, string] => [it.path, it.code])
  await using folder = await compileExamples([...generated, ...programs])
  const program = folder.file(join('out', programs[0]![0].replace(/\.ts$/, '.js')))
  execFileSync(process.execPath, [program], { cwd: folder.path, stdio: 'pipe' })
}

/** Compiles files in a folder of their own, strictly; the programs are then in `out`. */
async function compileExamples(files: readonly [path: string, code: string][]): Promise<TemporaryFolder> {
  const folder = await temporaryFolder()
  try {
    await symlink(join(root, 'node_modules'), folder.file('node_modules'), 'junction')
    await mkdir(folder.file('out'))
    for (const [path, code] of files) await writeFile(folder.file(path), code)
    await writeFile(folder.file('package.json'), '{ "type": "module" }')
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
    const rest = ['--ignoreConfig', '--skipLibCheck', '--types', 'node', '--outDir', 'out']
    const args = [...options, ...rest, ...files.map(([path]) => path)]
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
      cwd: folder.path,
      stdio: 'pipe',
    })
    return folder
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    throw error
  }
}
