import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ControllerLike } from '@portico/http'
import { createApp } from '@portico/http'
import { transform } from '@swc/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'

const run = promisify(execFile)

const emitted = `
import { Body, Controller, Get, Label, Optional, Param, Post, Query } from '@portico/http'

@Controller('/calc')
export class Calculator {
  @Get('/:n')
  @Label('Add')
  add(@Param('n') n: number, @Query('more') @Optional() more?: number, @Query('exact') exact: boolean = false): object {
    return { sum: n + (more ?? 0), exact }
  }

  @Post('/')
  echo(@Body({ type: 'object', required: ['a'] }) body: { a: number }): object {
    return body
  }
}
`.replace("@Query('exact') exact: boolean = false", "@Query('exact') @Optional() exact?: boolean")

/** The same with every type said to the decorator, for tools that emit none. */
const explicit = emitted
  .replace("@Param('n')", "@Param('n', Number)")
  .replace("@Query('more')", "@Query('more', Number)")
  .replace("@Query('exact')", "@Query('exact', Boolean)")

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-compilers-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function compileWithTsc(source: string, emitDecoratorMetadata: boolean): Promise<string> {
  const place = join(folder, `tsc-${emitDecoratorMetadata}`)
  await mkdir(place)
  await writeFile(join(place, 'calculator.ts'), source)
  const compilerOptions = {
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata,
    module: 'nodenext',
    target: 'es2023',
    types: [],
    skipLibCheck: true,
  }
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', place])
  return readFile(join(place, 'calculator.js'), 'utf8')
}

async function compileWithSwc(source: string): Promise<string> {
  const { code } = await transform(source, {
    filename: 'calculator.ts',
    configFile: false,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2022',
    },
    module: { type: 'es6' },
  })
  return code
}

it.each([
  ['tsc', true, () => compileWithTsc(emitted, true)],
  ['swc', true, () => compileWithSwc(emitted)],
  ['a tool that emits no types', false, () => compileWithTsc(explicit, false)],
] as const)('a controller compiled by %s works', async (name, hasTypes, compile) => {
  const code = await compile()
  expect(code.includes('design:paramtypes')).toBe(hasTypes)
  const file = join(folder, `${name.replaceAll(' ', '-')}.mjs`)
  await writeFile(file, code)
  const { Calculator } = (await import(pathToFileURL(file).href)) as { Calculator: ControllerLike }
  const app = createApp().register(Calculator)
  expect((await app.inject('/calc/1?more=2&exact=true')).json()).toEqual({ sum: 3, exact: true })
  expect((await app.inject('/calc/1')).json()).toEqual({ sum: 1 })
  expect((await app.inject('/calc/one')).statusCode).toBe(400)
  expect((await app.inject('/calc/1?exact=yes')).statusCode).toBe(400)
  expect((await app.inject({ method: 'POST', url: '/calc', payload: { a: 1 } })).json()).toEqual({ a: 1 })
  expect((await app.inject({ method: 'POST', url: '/calc', payload: {} })).statusCode).toBe(400)
  expect(app.routes[0]!.metadata.label).toBe('Add')
  await app.close()
})
