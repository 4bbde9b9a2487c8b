import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico } from './support/cli.ts'

const unformatted = "@db.table 'users'\ninterface User {\n@meta.id\nid: number\n}\n"

describe('file safety', () => {
  it('format does not change a file that is not UTF-8', () => {
    const folder = makeFolder({})
    const bytes = Buffer.concat([Buffer.from('// caf'), Buffer.from([0xe9]), Buffer.from(`\n${unformatted}`)])
    writeFileSync(join(folder, 'a.portico'), bytes)
    expect(portico(folder, 'format')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a.portico is not UTF-8 text'),
    })
    expect(readFileSync(join(folder, 'a.portico'))).toEqual(bytes)
  })

  it.skipIf(process.platform === 'win32')('format keeps links and file modes', () => {
    const folder = makeFolder({ 'real/a.portico': unformatted })
    mkdirSync(join(folder, 'links'))
    symlinkSync(join(folder, 'real/a.portico'), join(folder, 'links/a.portico'))
    writeFileSync(join(folder, 'b.portico'), unformatted.replaceAll('ser', 'ther'), { mode: 0o600 })
    expect(portico(folder, 'format', 'links/a.portico', 'b.portico').code).toBe(0)
    expect(lstatSync(join(folder, 'links/a.portico')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real/a.portico'), 'utf8')).toContain('  @meta.id')
    expect(statSync(join(folder, 'b.portico')).mode & 0o777).toBe(0o600)
  })

  it('a lone surrogate in a string does not make the generated module out of date', () => {
    const folder = makeFolder({
      'a.portico': unformatted.replace('@meta.id', '@meta.id\n@meta.description "a\\ud800b"\n@meta.label "\\udc00"'),
    })
    expect(portico(folder, 'generate').code).toBe(0)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toContain('\\ud800')
    expect(portico(folder, 'generate', '--check').code).toBe(0)
  })

  it('generate never overwrites a file that it did not write; then it writes nothing', () => {
    const folder = makeFolder({
      'a.portico': unformatted,
      'a.portico.ts': 'export const mine = 1\n',
      'b.portico': unformatted.replaceAll('ser', 'ther'),
    })
    const blocked = 'a.portico.ts was not written by `portico generate`'
    expect(portico(folder, 'generate')).toMatchObject({ code: 2, err: expect.stringContaining(blocked) })
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toBe('export const mine = 1\n')
    expect(existsSync(join(folder, 'b.portico.ts'))).toBe(false)
    expect(portico(folder, 'generate', '--check')).toMatchObject({ code: 1, err: expect.stringContaining(blocked) })
    // It overwrites its own files: from another schema, and after an edit.
    rmSync(join(folder, 'a.portico.ts'))
    expect(portico(folder, 'generate').code).toBe(0)
    appendFileSync(join(folder, 'a.portico.ts'), '// an edit\n')
    expect(portico(folder, 'generate')).toMatchObject({ code: 0, out: expect.stringContaining('wrote a.portico.ts') })
  })

  it.skipIf(process.platform === 'win32')('generate does not write through a link into another folder', () => {
    const folder = makeFolder({ 'schema/a.portico': unformatted, 'victim.txt': 'mine', 'other/a.portico': unformatted })
    expect(portico(folder, 'generate', 'other').code).toBe(0)
    const module = readFileSync(join(folder, 'other/a.portico.ts'), 'utf8')
    writeFileSync(join(folder, 'schema/a.portico'), unformatted.replace('id: number', 'id: string'))
    for (const target of ['../victim.txt', '../other/a.portico.ts']) {
      symlinkSync(target, join(folder, 'schema/a.portico.ts'))
      expect(portico(folder, 'generate', 'schema')).toMatchObject({
        code: 2,
        err: expect.stringContaining('is a link to another folder'),
      })
      rmSync(join(folder, 'schema/a.portico.ts'))
    }
    expect(readFileSync(join(folder, 'victim.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, 'other/a.portico.ts'), 'utf8')).toBe(module)
    // A link that leads nowhere is replaced; nothing comes into being where it led.
    symlinkSync('../gone.ts', join(folder, 'schema/a.portico.ts'))
    expect(portico(folder, 'generate', 'schema').code).toBe(0)
    expect(existsSync(join(folder, 'gone.ts'))).toBe(false)
    expect(lstatSync(join(folder, 'schema/a.portico.ts')).isFile()).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('only regular files up to a size limit are read', () => {
    const folder = makeFolder({})
    const refused = (what: string) => ({ code: 2, err: expect.stringContaining(what) })
    spawnSync('mkfifo', ['p.portico'], { cwd: folder })
    for (const command of ['check', 'generate', 'format']) {
      expect(portico(folder, command)).toMatchObject(refused('p.portico is not a regular file'))
    }
    rmSync(join(folder, 'p.portico'))
    symlinkSync('/dev/zero', join(folder, 'z.portico'))
    expect(portico(folder, 'check')).toMatchObject(refused('z.portico is not a regular file'))
    rmSync(join(folder, 'z.portico'))
    writeFileSync(join(folder, 'large.portico'), '')
    truncateSync(join(folder, 'large.portico'), 65 * 1024 * 1024)
    expect(portico(folder, 'check')).toMatchObject(refused('large.portico is larger than 64 MiB'))
  })
})
