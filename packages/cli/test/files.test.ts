import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico } from './support/cli.ts'

const unformatted = "@db.table 'users'\ninterface User {\n@meta.id\nid: number\n}\n"

describe('files are treated with care', () => {
  it('format leaves a file that is not UTF-8 as it is', () => {
    const folder = makeFolder({})
    const bytes = Buffer.concat([Buffer.from('// caf'), Buffer.from([0xe9]), Buffer.from(`\n${unformatted}`)])
    writeFileSync(join(folder, 'a.portico'), bytes)
    expect(portico(folder, 'format')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a.portico is not UTF-8 text'),
    })
    expect(readFileSync(join(folder, 'a.portico'))).toEqual(bytes)
  })

  it.skipIf(process.platform === 'win32')('format keeps a link a link, and the mode of a file', () => {
    const folder = makeFolder({ 'real/a.portico': unformatted })
    mkdirSync(join(folder, 'links'))
    symlinkSync(join(folder, 'real/a.portico'), join(folder, 'links/a.portico'))
    writeFileSync(join(folder, 'b.portico'), unformatted.replaceAll('ser', 'ther'), { mode: 0o600 })
    expect(portico(folder, 'format', 'links/a.portico', 'b.portico').code).toBe(0)
    expect(lstatSync(join(folder, 'links/a.portico')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real/a.portico'), 'utf8')).toContain('  @meta.id')
    expect(statSync(join(folder, 'b.portico')).mode & 0o777).toBe(0o600)
  })

  it('half a character in a text survives generating: the module is current right after', () => {
    const folder = makeFolder({
      'a.portico': unformatted.replace('@meta.id', '@meta.id\n@meta.description "a\\ud800b"\n@meta.label "\\udc00"'),
    })
    expect(portico(folder, 'generate').code).toBe(0)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toContain('\\ud800')
    expect(portico(folder, 'generate', '--check').code).toBe(0)
  })
})
