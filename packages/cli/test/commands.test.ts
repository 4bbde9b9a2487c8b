import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico } from './support/cli.ts'

const good = "@db.table 'users'\nexport interface User {\n  @meta.id\n  id: number\n}\n"
const bad = "@db.tabel 'users'\nexport interface User {\n  id: Nope\n}\n"

describe('portico generate', () => {
  it('writes the module of every schema file below the folder, and nothing else', () => {
    const folder = makeFolder({
      'a.portico': good,
      'sub/b.portico': good.replaceAll('User', 'Other').replace('users', 'others'),
      'node_modules/x/c.portico': bad,
      '.hidden/d.portico': bad,
      'dist/e.portico': bad,
      'notes.txt': 'x',
    })
    const run = portico(folder, 'generate')
    expect(run).toEqual({
      code: 0,
      out: 'wrote a.portico.ts\nwrote sub/b.portico.ts\n2 modules, 0 unchanged\n',
      err: '',
    })
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toContain('export interface UserInsert')
    expect(readdirSync(folder).sort()).toEqual([
      '.hidden',
      'a.portico',
      'a.portico.ts',
      'dist',
      'node_modules',
      'notes.txt',
      'sub',
    ])
  })

  it('does not write a module again that is unchanged', () => {
    const folder = makeFolder({ 'a.portico': good })
    portico(folder, 'generate')
    const before = statSync(join(folder, 'a.portico.ts'), { bigint: true }).mtimeNs
    expect(portico(folder, 'generate', 'a.portico').out).toBe('1 module, 1 unchanged\n')
    expect(statSync(join(folder, 'a.portico.ts'), { bigint: true }).mtimeNs).toBe(before)
  })

  it('writes nothing at all when one file has an error', () => {
    const folder = makeFolder({ 'a.portico': good, 'b.portico': bad })
    const run = portico(folder, 'generate')
    expect(run.code).toBe(1)
    expect(run.out).toBe('')
    expect(run.err).toMatch(/^b\.portico:1:1 error: unknown annotation `@db\.tabel`/)
    expect(run.err).toMatch(/2 errors\n$/)
    expect(existsSync(join(folder, 'a.portico.ts'))).toBe(false)
  })

  it('with --check finds modules that are missing or stale, and writes nothing', () => {
    const folder = makeFolder({ 'a.portico': good })
    expect(portico(folder, 'generate', '--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('a.portico.ts is missing or stale'),
    })
    expect(existsSync(join(folder, 'a.portico.ts'))).toBe(false)
    portico(folder, 'generate')
    expect(portico(folder, 'generate', '--check').code).toBe(0)
    writeFileSync(join(folder, 'a.portico.ts'), '// edited')
    expect(portico(folder, 'generate', '--check').code).toBe(1)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toBe('// edited')
  })

  it('follows imports and takes the extension that is asked for', () => {
    const folder = makeFolder({
      'a.portico': "import { B } from './lib/b'\ninterface A { b: B }\n",
      'lib/b.portico': 'export interface B { c: string }\n',
    })
    expect(portico(folder, 'generate', 'a.portico', '--import-extension', 'ts').code).toBe(0)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toContain("'./lib/b.portico.ts'")
    expect(existsSync(join(folder, 'lib/b.portico.ts'))).toBe(false)
  })

  it('with --json tells tools what it did', () => {
    const folder = makeFolder({ 'a.portico': good })
    const first = JSON.parse(portico(folder, 'generate', '--json').out) as unknown
    expect(first).toEqual({
      diagnostics: [],
      compiled: ['a.portico'],
      written: ['a.portico.ts'],
      stale: [],
      unchanged: [],
    })
    writeFileSync(join(folder, 'a.portico'), bad)
    const run = portico(folder, 'generate', '--json')
    expect([run.code, run.err]).toEqual([1, ''])
    const { diagnostics } = JSON.parse(run.out) as { diagnostics: { code: string; start: object }[] }
    expect(diagnostics.map((it) => [it.code, it.start])).toEqual([
      ['unknown_annotation', { line: 1, column: 1 }],
      ['unknown_name', { line: 3, column: 7 }],
    ])
  })

  it('passes warnings on and succeeds', () => {
    const folder = makeFolder({ 'a.portico': '@db.table\ninterface A { a: string }\n' })
    const run = portico(folder, 'generate')
    expect(run.code).toBe(0)
    expect(run.err).toContain('warning: table `A` has no primary key')
    expect(run.err).toMatch(/1 warning\n$/)
  })
})

describe('portico check', () => {
  it('reports problems and writes nothing', () => {
    const folder = makeFolder({ 'a.portico': bad })
    expect(portico(folder, 'check').code).toBe(1)
    writeFileSync(join(folder, 'a.portico'), good)
    expect(portico(folder, 'check')).toEqual({ code: 0, out: '1 schema file checked\n', err: '' })
    expect(readdirSync(folder)).toEqual(['a.portico'])
  })

  it('with --json lists the diagnostics', () => {
    const run = portico(makeFolder({ 'a.portico': bad }), 'check', '--json')
    expect(run.code).toBe(1)
    expect(JSON.parse(run.out)).toMatchObject({ files: ['a.portico'], diagnostics: [{ path: 'a.portico' }, {}] })
  })
})

describe('portico format', () => {
  const messy = 'interface A{a:string}'
  const neat = 'interface A {\n  a: string\n}\n'

  it('formats files in place and says which', () => {
    const folder = makeFolder({ 'a.portico': messy, 'b.portico': neat })
    expect(portico(folder, 'format')).toEqual({
      code: 0,
      out: 'formatted a.portico\n2 schema files, 1 unchanged\n',
      err: '',
    })
    expect(readFileSync(join(folder, 'a.portico'), 'utf8')).toBe(neat)
  })

  it('with --check writes nothing and exits 1 when a file is not formatted', () => {
    const folder = makeFolder({ 'a.portico': messy })
    expect(portico(folder, 'format', '--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('a.portico is not formatted'),
    })
    expect(readFileSync(join(folder, 'a.portico'), 'utf8')).toBe(messy)
    portico(folder, 'format')
    expect(portico(folder, 'format', '--check').code).toBe(0)
  })

  it('leaves a file with syntax errors alone, reports it, and formats the others', () => {
    const folder = makeFolder({ 'a.portico': 'interface {', 'b.portico': messy })
    const run = portico(folder, 'format', '--json')
    expect(run.code).toBe(1)
    expect(JSON.parse(run.out)).toMatchObject({ changed: ['b.portico'], diagnostics: [{ path: 'a.portico' }] })
    expect(readFileSync(join(folder, 'a.portico'), 'utf8')).toBe('interface {')
  })
})

describe('portico', () => {
  it('shows help with examples, its own and that of each command', () => {
    const folder = makeFolder({})
    const help = portico(folder, '--help')
    expect([help.code, help.err]).toEqual([0, ''])
    expect(portico(folder).out).toBe(help.out)
    expect(portico(folder, 'help').out).toBe(help.out)
    for (const command of ['generate', 'check', 'format']) {
      expect(help.out).toContain(`  ${command} `)
      const own = portico(folder, command, '--help')
      expect(own.code).toBe(0)
      expect(own.out).toMatch(new RegExp(`^Usage: portico ${command} [^]*\nExamples:\n  portico ${command}`))
      expect(portico(folder, 'help', command).out).toBe(own.out)
    }
  })

  it('shows its version', () => {
    expect(portico(makeFolder({}), '--version').out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('exits 2 with one clear line when it is called wrongly', () => {
    const folder = makeFolder({ 'a.txt': 'x' })
    mkdirSync(join(folder, 'empty'))
    const wrong: [args: string[], says: string][] = [
      [['genrate'], 'there is no command genrate'],
      [['generate', '--nope'], "Unknown option '--nope'"],
      [['generate', 'missing.portico'], 'there is no file or folder missing.portico'],
      [['generate', 'a.txt'], 'a.txt is no schema file'],
      [['check', 'empty'], 'no schema files (*.portico) in empty'],
      [['generate', '--check', '--watch'], '--check and --watch do not go together'],
      [['generate', '--import-extension', 'mjs'], '--import-extension is js or ts, not mjs'],
    ]
    for (const [args, says] of wrong) {
      const run = portico(folder, ...args)
      expect([args, run.code, run.out]).toEqual([args, 2, ''])
      expect(run.err).toContain(says)
      expect(run.err).not.toContain('    at ')
    }
  }, 30_000)

  it('writes no colours where there is no terminal', () => {
    const run = portico(makeFolder({ 'a.portico': bad }), 'check')
    expect(run.err).not.toContain('\u001b')
  })
})
