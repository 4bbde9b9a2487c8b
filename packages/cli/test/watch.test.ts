import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico, startPortico } from './support/cli.ts'

const one = (name: string, more = ''): string => `export interface ${name} {\n  a: string\n${more}}\n`

describe('portico generate --watch', () => {
  it('compiles only changed files and their dependents', async () => {
    const folder = makeFolder({
      'a.portico': `import { B } from './b'\n\nexport interface A {\n  b: B\n}\n`,
      'b.portico': one('B'),
      'c.portico': one('C'),
    })
    const running = startPortico(folder, 'generate', '--watch')
    expect(await running.until('watching 3 schema files')).toContain('wrote c.portico.ts')

    writeFileSync(join(folder, 'c.portico'), one('C', '  extra: number\n'))
    const second = await running.until('watching')
    expect(second).toContain('compiled c.portico\nwrote c.portico.ts')
    expect(second).not.toContain('compiled a.portico')
    expect(second).not.toContain('compiled b.portico')
    expect(readFileSync(join(folder, 'c.portico.ts'), 'utf8')).toContain('extra: number')

    writeFileSync(join(folder, 'b.portico'), one('B', '  extra: number\n'))
    const third = await running.until('watching')
    expect(third).toContain('compiled a.portico')
    expect(third).toContain('compiled b.portico')
    expect(third).not.toContain('compiled c.portico')

    expect(await running.interrupt()).toBe(0)
  }, 60_000)

  it('keeps watching after a module could not be written', async () => {
    const folder = makeFolder({ 'a.portico': one('A') })
    mkdirSync(join(folder, 'a.portico.ts'))
    const running = startPortico(folder, 'generate', '--watch')
    await running.until('watching 1 schema file')
    rmSync(join(folder, 'a.portico.ts'), { recursive: true })
    writeFileSync(join(folder, 'a.portico'), one('A', '  extra: number\n'))
    expect(await running.until('watching')).toContain('wrote a.portico.ts')
    expect(await running.interrupt()).toBe(0)
  }, 60_000)

  it('keeps watching after an error, and sees added and removed files and folders', async () => {
    const folder = makeFolder({ 'a.portico': one('A') })
    const running = startPortico(folder, 'generate', '--watch')
    await running.until('watching 1 schema file')

    writeFileSync(join(folder, 'a.portico'), 'interface A {\n  a: Nope\n}\n')
    await running.until('unknown type `Nope`')
    expect(await running.until('watching')).not.toContain('compiled')
    writeFileSync(join(folder, 'a.portico'), one('A', '  b: string\n'))
    await running.until('wrote a.portico.ts')
    await running.until('watching')

    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub/d.portico'), one('D'))
    await running.until('watching 2 schema files')
    expect(existsSync(join(folder, 'sub/d.portico.ts'))).toBe(true)
    rmSync(join(folder, 'sub'), { recursive: true })
    await running.until('watching 1 schema file')
    expect(await running.interrupt()).toBe(0)
  }, 60_000)

  it('removes the module of a removed schema file, and writes the same output as generate', async () => {
    const folder = makeFolder({
      'a.portico': `import { S } from './s'\n\nexport interface A extends S {\n  id: number\n}\n`,
      'b.portico': one('B'),
      's.portico': one('S'),
    })
    const running = startPortico(folder, 'generate', '--watch')
    await running.until('watching 3 schema files')
    rmSync(join(folder, 'b.portico'))
    expect(await running.until('watching 2 schema files')).toContain('removed b.portico.ts')
    expect(existsSync(join(folder, 'b.portico.ts'))).toBe(false)
    writeFileSync(join(folder, 's.portico'), one('S', '  extra: number\n'))
    await running.until('watching')
    expect(await running.interrupt()).toBe(0)
    expect(portico(folder, 'generate', '--check').code).toBe(0)
  }, 60_000)

  it('sees changes of imported files outside the given folder', async () => {
    const folder = makeFolder({
      'app/a.portico': `import { B } from '../lib/b'\n\nexport interface A {\n  b: B\n}\n`,
      'lib/b.portico': one('B'),
    })
    const running = startPortico(folder, 'generate', 'app', '--watch', '--json')
    expect(JSON.parse(await running.until('\n'))).toMatchObject({ written: ['app/a.portico.ts'] })
    writeFileSync(join(folder, 'lib/b.portico'), 'export interface B {\n  a: Nope\n}\n')
    expect(JSON.parse(await running.until('\n'))).toMatchObject({
      diagnostics: [{ path: 'lib/b.portico' }],
      written: [],
    })
    expect(await running.interrupt()).toBe(0)
  }, 60_000)
})
