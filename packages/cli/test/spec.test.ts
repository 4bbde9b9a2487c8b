import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createSpec } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder, portico } from './support/cli.ts'

const config = `export default { app: 'app.ts' }\n`
const controller = `
import { Controller, createApp, Get, Param } from '@portico/http'
import { specController } from '@portico/spec'

@Controller('/tasks')
class Tasks {
  @Get('/:id')
  find(@Param('id') id: number) { return id }
}
`
const asApp = `${controller}
export const app = createApp().register(Tasks, specController({ title: 'Tracker', version: '3.0.0' }))
`

/** A project in a folder of its own, with the packages in reach. */
function makeProject(files: Record<string, string>): string {
  const folder = makeFolder({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    'portico.config.mjs': config,
    ...files,
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules', '@portico'), join(folder, 'node_modules', '@portico'), 'junction')
  return folder
}

describe('portico spec', { timeout: 60_000 }, () => {
  it('prints the description of the app, with the options of its specController', () => {
    const folder = makeProject({ 'app.ts': asApp })
    const run = portico(folder, 'spec')
    expect([run.err, run.code]).toEqual(['', 0])
    const document = JSON.parse(run.out)
    expect(document.info).toEqual({ title: 'Tracker', version: '3.0.0' })
    expect(Object.keys(document.paths)).toEqual(['/tasks/{id}'])
    // The types that the compiler emits are there, as in the app itself.
    expect(document.paths['/tasks/{id}'].get.parameters[0].schema).toEqual({ type: 'number' })
  })

  it.each([
    ['a list of controllers', 'export default [Tasks]'],
    ['a function', 'export const app = async () => createApp().register(Tasks)'],
  ])('accepts %s', (_, exported) => {
    const folder = makeProject({ 'app.ts': `${controller}\n${exported}\n` })
    expect(JSON.parse(portico(folder, 'spec').out)).toMatchObject({
      info: { title: 'API' },
      paths: { '/tasks/{id}': {} },
    })
  })

  it('ends although the app keeps something open, and prints everything', () => {
    const filler = 'x'.repeat(500_000)
    const app = asApp.replace("title: 'Tracker'", "title: 'Tracker', description: 'x'.repeat(500_000)")
    const folder = makeProject({ 'app.ts': `${app}\nsetInterval(() => {}, 1000)\n` })
    const run = portico(folder, 'spec')
    expect([run.err, run.code]).toEqual(['', 0])
    expect(JSON.parse(run.out).info.description).toBe(filler)
  })

  it('writes a file in the format of its extension, and only if it changed', () => {
    const folder = makeProject({ 'app.ts': asApp })
    expect(portico(folder, 'spec', '--out', 'api.yaml')).toEqual({ code: 0, out: 'wrote api.yaml\n', err: '' })
    expect(readFileSync(join(folder, 'api.yaml'), 'utf8')).toMatch(/^openapi: "3\.1\.0"\ninfo:\n {2}title: Tracker\n/)
    const before = statSync(join(folder, 'api.yaml'), { bigint: true }).mtimeNs
    expect(portico(folder, 'spec', '--out', 'api.yaml').out).toBe('api.yaml is unchanged\n')
    expect(statSync(join(folder, 'api.yaml'), { bigint: true }).mtimeNs).toBe(before)
    expect(portico(folder, 'spec', '--out', 'api.txt', '--format', 'yaml').code).toBe(0)
    expect(readFileSync(join(folder, 'api.txt'), 'utf8')).toBe(readFileSync(join(folder, 'api.yaml'), 'utf8'))
  })

  it('reports a missing folder', () => {
    const { code, err } = portico(makeProject({ 'app.ts': asApp }), 'spec', '--out', 'nowhere/api.json')
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^portico: the folder of .*nowhere.api\.json does not exist\n$/),
    ])
  })

  it.each([
    [['spec', '--format', 'xml'], '--format must be json or yaml, not xml'],
    [['spec', 'api.json'], 'unexpected argument api.json; use --out to name the output file'],
    [['spec', 'diff'], 'portico spec diff takes an old description and optionally a new one'],
    [['spec', 'diff', 'a', 'b', 'c'], 'portico spec diff takes an old description and optionally a new one'],
    [['spec', 'diff', 'nothing.json'], 'file not found: nothing.json'],
    [['spec', 'diff', 'package.json'], 'package.json is not an OpenAPI description'],
    [['spec', 'diff', 'app.ts'], 'app.ts is not an OpenAPI description in JSON'],
  ])('%j is refused in one line', (args, message) => {
    const run = portico(makeProject({ 'app.ts': asApp }), ...args)
    expect(run).toEqual({ code: 2, out: '', err: `portico: ${message}\nTry \`portico spec --help\`.\n` })
  })

  it.each([
    ['a module that does not export an app', 'export const other = 1', 'app.ts does not export an app'],
    ['a module that throws', "throw new Error('no luck')", 'app.ts failed: no luck'],
    [
      'two operations with one id',
      `${controller}
       @Controller() class Twice { @Get('/a-b') one() {} @Get('/a_b') two() {} }
       export default [Twice]`,
      'GET /a-b (Twice.one) and GET /a_b (Twice.two) have the same operation id',
    ],
  ])('reports %s', (_, app, message) => {
    const run = portico(makeProject({ 'app.ts': app }), 'spec')
    expect([run.code, run.out]).toEqual([2, ''])
    expect(run.err).toContain(message)
  })
})

describe('portico spec diff', { timeout: 60_000 }, () => {
  const description = (paths: object) => JSON.stringify({ ...createSpec([]), paths })
  const operation = { summary: 'A', operationId: 'a', responses: {} }

  it('lists breaking changes and exits with 1', () => {
    const folder = makeFolder({
      'old.json': description({ '/a': { get: operation } }),
      'new.json': description({ '/b': { get: operation } }),
    })
    expect(portico(folder, 'spec', 'diff', 'old.json', 'new.json')).toEqual({
      code: 1,
      out: 'compatible GET /b: the operation is new\n1 breaking change, 1 compatible\n',
      err: 'breaking GET /a: the operation was removed\n',
    })
  })

  it('exits with 0 if all changes are compatible; --json prints JSON', () => {
    const folder = makeFolder({
      'old.json': description({}),
      'new.json': description({ '/b': { get: operation } }),
    })
    const run = portico(folder, 'spec', 'diff', 'old.json', 'new.json', '--json')
    expect(run).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(run.out)).toEqual({
      changes: [{ breaking: false, operation: 'GET /b', message: 'the operation is new' }],
    })
  })

  it('reads YAML that it wrote itself', () => {
    const folder = makeProject({ 'app.ts': asApp })
    for (const file of ['a.json', 'a.yaml', 'a.yml']) portico(folder, 'spec', '--out', file)
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toMatch(/^openapi: /)
    for (const files of [['a.yaml'], ['a.yaml', 'a.json'], ['a.json', 'a.yml']])
      expect(portico(folder, 'spec', 'diff', ...files)).toEqual({
        code: 0,
        out: '0 breaking changes, 0 compatible\n',
        err: '',
      })
  })

  it.each([
    ['a.json', '{ "openapi": "3.1.0", "paths": null }', 'a.json is not an OpenAPI description'],
    ['a.json', 'openapi: "3.1.0"\n', 'a.json is not an OpenAPI description in JSON'],
    ['a.yaml', 'openapi: "3.1.0"\n', 'a.yaml is not an OpenAPI description'],
    ['a.yaml', 'openapi: 3.1.0 # new\n', 'a.yaml: line 1 is not as writeYaml writes it; use JSON instead'],
  ])('a file %s with %j is refused', (file, text, message) => {
    const folder = makeFolder({ [file]: text })
    expect(portico(folder, 'spec', 'diff', file, file)).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    })
  })

  it('without a second file compares with the app itself', () => {
    const folder = makeProject({ 'app.ts': asApp, 'old.json': description({ '/a': { get: operation } }) })
    const run = portico(folder, 'spec', 'diff', 'old.json')
    expect(run).toMatchObject({ code: 1, err: 'breaking GET /a: the operation was removed\n' })
    expect(run.out).toContain('compatible GET /tasks/{id}: the operation is new\n')
  })
})
