import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene } from '../../apps/demo/test/support/scene.ts'
import { tokenOf } from '../../apps/demo/test/support/visitor.ts'
import { findJudges, findOapiCodegen, findOpenapiGenerator, findPythonTools } from '../../scripts/environment.mjs'
import { fetchProgram, generatedPythonProgram, importAll, pythonProgram } from './client-programs.ts'
import { ClientFolder, makeFolder, pythonEnvironment } from './clients.ts'
import { openKit } from './kit/kit-app.ts'

const judges = findJudges()
const python = findPythonTools()
const generator = findOpenapiGenerator()
const oapi = findOapiCodegen()

describe('clients that other tools generate', { timeout: 300_000 }, () => {
  let demo: Awaited<ReturnType<typeof openScene>>
  let folder: ClientFolder
  /** Where the demo is, and who calls it, for programs that use a client. */
  let caller: { URL: string; TOKEN: string }

  beforeAll(async () => {
    demo = await openScene()
    caller = { URL: demo.address, TOKEN: await tokenOf(demo.address, 'ada') }
    folder = new ClientFolder(await mkdtemp(join(tmpdir(), 'portico-clients-')))
    await using kit = await openKit()
    const documents = { kit: kit.address, demo: demo.address }
    for (const [name, address] of Object.entries(documents)) {
      await folder.write(`${name}.json`, await (await fetch(`${address}/api-docs/spec.json`)).text())
    }
  })
  afterAll(async () => {
    await folder.remove()
    await demo[Symbol.asyncDispose]()
  })

  describe.skipIf(!judges)('in TypeScript', () => {
    const script = (path: string): string => join(judges!.path, 'node_modules', path)

    it('openapi-typescript and openapi-fetch: compiles, and calls the demo', async () => {
      for (const name of folder.documents) {
        // A field with a default may be left out of a body; without this option the generator requires it.
        await folder.run(process.execPath, [
          script('openapi-typescript/bin/cli.js'),
          ...[`${name}.json`, '-o', `fetch-${name}.ts`, '--default-non-nullable', 'false'],
        ])
      }
      await folder.write('call.ts', fetchProgram)
      expect(await folder.compile(judges!.path, ['call.ts', 'fetch-kit.ts'], true)).toEqual([])
      expect(await folder.run(process.execPath, ['call.js'], caller)).toBe('done\n')
    })

    it('@hey-api/openapi-ts: compiles', async () => {
      for (const name of folder.documents) {
        const args = ['-i', `${name}.json`, '-o', `hey-${name}`, '-c', '@hey-api/client-fetch']
        await folder.run(process.execPath, [script('@hey-api/openapi-ts/bin/run.js'), ...args])
      }
      expect(await folder.compile(judges!.path, ['hey-kit/index.ts', 'hey-demo/index.ts'])).toEqual([])
    })

    it('orval: compiles', async () => {
      const outputs = folder.documents.map((name) => {
        const output = { target: `./orval-${name}/api.ts`, client: 'fetch' }
        return [name, { input: `./${name}.json`, output }]
      })
      await folder.write('orval.config.cjs', `module.exports = ${JSON.stringify(Object.fromEntries(outputs))}`)
      const printed = await folder.run(process.execPath, [
        script('orval/dist/bin/orval.js'),
        ...['--config', './orval.config.cjs'],
      ])
      expect(printed).not.toMatch(/error/i)
      expect(await folder.compile(judges!.path, ['orval-kit/api.ts', 'orval-demo/api.ts'])).toEqual([])
    })
  })

  it.skipIf(!python)('openapi-python-client: every module loads, and one calls the demo', async () => {
    const env = pythonEnvironment(python!.path)
    for (const name of folder.documents) {
      const args = ['generate', '--path', `${name}.json`, '--output-path', `python-${name}`, '--meta', 'none']
      await folder.run(join(python!.path, 'bin/openapi-python-client'), args, env)
      await folder.run('python3', ['-c', importAll, `python-${name}`], env)
    }
    await cp(join(folder.path, 'python-demo'), join(folder.path, 'tracker_client'), { recursive: true })
    expect(await folder.run('python3', ['-c', pythonProgram], { ...env, ...caller })).toBe('done\n')
  })

  describe.skipIf(!generator)('openapi-generator', () => {
    const languages = ['typescript-fetch', 'python', 'go', 'java', 'rust']

    beforeAll(async () => {
      const configs: string[] = []
      for (const name of folder.documents) {
        for (const language of languages) {
          const outputDir = join(folder.path, `generated-${name}-${language}`)
          const packageName = `client_${name}`
          const options = language === 'go' || language === 'python' ? { packageName } : {}
          const config = {
            generatorName: language,
            inputSpec: join(folder.path, `${name}.json`),
            outputDir,
            ...options,
          }
          configs.push(`${name}-${language}.config.json`)
          await folder.write(configs.at(-1)!, JSON.stringify(config))
        }
      }
      await folder.run('java', ['-jar', generator!.path, 'batch', '--threads', '2', ...configs])
    }, 300_000)

    it('makes a client of each description in each language', () => {
      const missing = folder.documents.flatMap((name) =>
        languages.filter((it) => !existsSync(join(folder.path, `generated-${name}-${it}`, '.openapi-generator/FILES'))),
      )
      expect(missing).toEqual([])
    })

    it.skipIf(!judges)('TypeScript: compiles', async () => {
      const files = folder.documents.map((name) => `generated-${name}-typescript-fetch/index.ts`)
      const errors = await folder.compile(judges!.path, files)
      // Where a union has a discriminator, this generator forgets to import its members, and names a variable wrongly.
      expect(errors.filter((it) => !/POSTBodiesShapeRequest\.ts.*(?:Circle|Square|'json')/.test(it))).toEqual([])
    })

    it.skipIf(!python)('Python: every module loads, and one calls the demo', async () => {
      const env = pythonEnvironment(python!.path)
      for (const name of folder.documents) {
        const at = join(folder.path, `generated-${name}-python`)
        await folder.run('python3', ['-c', importAll, `client_${name}`], env, at)
      }
      const at = join(folder.path, 'generated-demo-python')
      expect(await folder.run('python3', ['-c', generatedPythonProgram], { ...env, ...caller }, at)).toBe('done\n')
    })

    it.skipIf(!oapi)('Go: compiles', async () => {
      const module = await folder.goModule('go-generated')
      for (const name of folder.documents) {
        const from = join(folder.path, `generated-${name}-go`)
        const to = await makeFolder(join(module, name))
        for (const file of await readdir(from)) if (file.endsWith('.go')) await cp(join(from, file), join(to, file))
        await rm(join(to, 'test'), { recursive: true, force: true })
      }
      await folder.run('go', ['build', './...'], { GOFLAGS: '-buildvcs=false' }, module)
    })
  })

  it.skipIf(!oapi)('oapi-codegen: compiles', async () => {
    const module = await folder.goModule('go-oapi')
    for (const name of folder.documents) {
      const to = await makeFolder(join(module, name))
      const args = ['-package', name, '-generate', 'types,client', '-o', join(to, 'client.go'), `${name}.json`]
      await folder.run(oapi!.path, args)
    }
    await folder.run('go', ['build', './...'], { GOFLAGS: '-buildvcs=false' }, module)
  })
})
