import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, portico, porticoWithInput } from './support/cli.ts'

const good = "@db.table 'users'\nexport interface User {\n  @meta.id\n  id: number\n}\n"
const bad = "@db.tabel 'users'\nexport interface User {\n  id: Nope\n}\n"

describe('portico generate', () => {
  it('writes a module for every schema file in the folder and its subfolders, and nothing else', () => {
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
      out: 'wrote a.portico.ts\nwrote sub/b.portico.ts\n2 modules: 2 written, 0 unchanged\n',
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

  it('does not rewrite unchanged modules', () => {
    const folder = makeFolder({ 'a.portico': good })
    portico(folder, 'generate')
    const before = statSync(join(folder, 'a.portico.ts'), { bigint: true }).mtimeNs
    expect(portico(folder, 'generate', 'a.portico').out).toBe('1 module: 1 unchanged\n')
    expect(statSync(join(folder, 'a.portico.ts'), { bigint: true }).mtimeNs).toBe(before)
  })

  it('writes nothing if any file has an error', () => {
    const folder = makeFolder({ 'a.portico': good, 'b.portico': bad })
    const run = portico(folder, 'generate')
    expect(run.code).toBe(1)
    expect(run.out).toBe('')
    expect(run.err).toMatch(/^b\.portico:1:1 error: unknown annotation `@db\.tabel`/)
    expect(run.err).toMatch(/2 errors\n$/)
    expect(existsSync(join(folder, 'a.portico.ts'))).toBe(false)
  })

  it('--check reports missing and outdated modules and writes nothing', () => {
    const folder = makeFolder({ 'a.portico': good })
    expect(portico(folder, 'generate', '--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('a.portico.ts is missing or out of date'),
    })
    expect(existsSync(join(folder, 'a.portico.ts'))).toBe(false)
    portico(folder, 'generate')
    expect(portico(folder, 'generate', '--check').code).toBe(0)
    writeFileSync(join(folder, 'a.portico.ts'), '// edited')
    expect(portico(folder, 'generate', '--check').code).toBe(1)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toBe('// edited')
  })

  it('follows imports and uses the requested extension', () => {
    const folder = makeFolder({
      'a.portico': "import { B } from './lib/b'\ninterface A { b: B }\n",
      'lib/b.portico': 'export interface B { c: string }\n',
    })
    expect(portico(folder, 'generate', 'a.portico', '--import-extension', 'ts').code).toBe(0)
    expect(readFileSync(join(folder, 'a.portico.ts'), 'utf8')).toContain("'./lib/b.portico.ts'")
    expect(existsSync(join(folder, 'lib/b.portico.ts'))).toBe(false)
  })

  it('--json lists what was written', () => {
    const folder = makeFolder({ 'a.portico': good })
    const first = JSON.parse(portico(folder, 'generate', '--json').out) as unknown
    expect(first).toEqual({
      diagnostics: [],
      compiled: ['a.portico'],
      written: ['a.portico.ts'],
      stale: [],
      unchanged: [],
      removed: [],
      orphaned: [],
      blocked: [],
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

  it('prints warnings and succeeds', () => {
    const folder = makeFolder({ 'a.portico': '@db.table\ninterface A { a: string }\n' })
    const run = portico(folder, 'generate')
    expect(run.code).toBe(0)
    expect(run.err).toContain('warning: table `A` has no primary key')
    expect(run.err).toMatch(/1 warning\n$/)
  })
})

describe('a module whose schema file no longer exists', () => {
  function makeOrphan(more: Readonly<Record<string, string>> = {}): string {
    const folder = makeFolder({ 'a.portico': good, 'sub/b.portico': good.replaceAll('ser', 'nit'), ...more })
    portico(folder, 'generate', 'a.portico', 'sub/b.portico')
    rmSync(join(folder, 'sub/b.portico'))
    return folder
  }

  it('is removed by generate and reported', () => {
    const folder = makeOrphan()
    expect(portico(folder, 'generate')).toEqual({
      code: 0,
      out: 'removed sub/b.portico.ts: its schema file no longer exists\n1 module: 1 unchanged\n',
      err: '',
    })
    expect(existsSync(join(folder, 'sub/b.portico.ts'))).toBe(false)
  })

  it('is reported by --check and kept', () => {
    const folder = makeOrphan()
    const run = portico(folder, 'generate', '--check')
    expect([run.code, run.out]).toEqual([1, ''])
    expect(run.err).toBe('sub/b.portico.ts is left over (its schema file no longer exists): run `portico generate`\n')
    const { orphaned } = JSON.parse(portico(folder, 'generate', '--check', '--json').out) as { orphaned: string[] }
    expect(orphaned).toEqual(['sub/b.portico.ts'])
    expect(existsSync(join(folder, 'sub/b.portico.ts'))).toBe(true)
  })

  it('is removed even if there are no schema files left', () => {
    const folder = makeOrphan()
    expect(portico(folder, 'generate', 'sub').code).toBe(0)
    expect(readdirSync(join(folder, 'sub'))).toEqual([])
  })

  it('stays if another file has an error, or if only files were given', () => {
    const folder = makeOrphan()
    portico(folder, 'generate', 'a.portico')
    expect(existsSync(join(folder, 'sub/b.portico.ts'))).toBe(true)
    writeFileSync(join(folder, 'a.portico'), bad)
    expect(portico(folder, 'generate').code).toBe(1)
    expect(existsSync(join(folder, 'sub/b.portico.ts'))).toBe(true)
  })

  it('files that were written by hand or moved are kept', () => {
    const others = {
      'mine.portico.ts': 'export const mine = 1\n',
      'empty.portico.ts': '',
      'quoted.portico.ts': '// Not: Generated from quoted.portico by `portico generate`. \n',
      'renamed.portico.ts': '// Generated from other.portico by `portico generate`. Change other.portico\n',
    }
    const folder = makeOrphan(others)
    expect(portico(folder, 'generate').code).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['a.portico', 'a.portico.ts', ...Object.keys(others), 'sub'].sort())
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

  it('with --json prints the diagnostic that the README shows', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const [, shown] = /```json\n([\s\S]*?)```/.exec(readme)!
    const run = portico(makeFolder({ 'users.portico': "@db.tabel 'users'\ninterface A {}\n" }), 'check', '--json')
    expect(JSON.parse(run.out)).toEqual({ files: ['users.portico'], diagnostics: [JSON.parse(shown!)] })
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
      out: 'formatted a.portico\n2 schema files: 1 formatted, 1 unchanged\n',
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

  it('reports a file with syntax errors, keeps it, and formats the others', () => {
    const folder = makeFolder({ 'a.portico': 'interface {', 'b.portico': messy })
    const run = portico(folder, 'format', '--json')
    expect(run.code).toBe(1)
    expect(JSON.parse(run.out)).toMatchObject({ changed: ['b.portico'], diagnostics: [{ path: 'a.portico' }] })
    expect(readFileSync(join(folder, 'a.portico'), 'utf8')).toBe('interface {')
  })
})

describe('the counts of portico format', () => {
  const files = { 'a.portico': 'interface {', 'b.portico': 'interface B{a:string}', 'c.portico': good }

  it('add up to the number of files', () => {
    expect(portico(makeFolder(files), 'format', '--check').out).toBe(
      '3 schema files: 1 not formatted, 1 formatted, 1 with errors\n',
    )
    expect(portico(makeFolder(files), 'format').out).toBe(
      'formatted b.portico\n3 schema files: 1 formatted, 1 unchanged, 1 with errors\n',
    )
  })
})

describe('portico format -', () => {
  it('formats standard input to standard output', () => {
    const neat = 'interface A {\n  a: string\n}\n'
    const folder = makeFolder({})
    expect(porticoWithInput(folder, 'interface A{a:string}', 'format', '-')).toEqual({ code: 0, out: neat, err: '' })
    expect(porticoWithInput(folder, '', 'format', '-')).toEqual({ code: 0, out: '', err: '' })
    expect(porticoWithInput(folder, neat, 'format', '-', '--check')).toEqual({ code: 0, out: '', err: '' })
    expect(porticoWithInput(folder, 'type A=1', 'format', '-', '--check')).toEqual({
      code: 1,
      out: '',
      err: 'standard input is not formatted\n',
    })
  })

  it('writes nothing on a syntax error and shows where it is', () => {
    const run = porticoWithInput(makeFolder({}), 'interface {', 'format', '-')
    expect([run.code, run.out]).toEqual([1, ''])
    expect(run.err).toMatch(/^<stdin>:1:11 error: .*\n {2}1 \| interface \{\n/)
  })
})

describe('portico', () => {
  it('shows help with examples for portico and each command', () => {
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

  it('exits with 2 and one clear line on wrong usage', () => {
    const folder = makeFolder({ 'a.txt': 'x' })
    mkdirSync(join(folder, 'empty'))
    const wrong: [args: string[], says: string][] = [
      [
        ['genrate'],
        'unknown command genrate; available: init, generate, check, format, sync, spec, dev, doctor, login, ',
      ],
      [['genrate'], '\nTry `portico --help`.\n'],
      [['check', '--nope'], 'portico: unknown option --nope; available: --help, --json\nTry `portico check --help`.\n'],
      [['format', '-x'], 'unknown option -x'],
      [['format', '--constructor'], 'unknown option --constructor'],
      [['generate', '--check=yes'], '--check does not take a value'],
      [['generate', '--import-extension'], '--import-extension needs a value'],
      [['generate', '--import-extension', '--check'], '--import-extension needs a value'],
      [['generate', '--import-extension=--check'], '--import-extension must be js or ts, not --check'],
      [['format', '-', 'a.portico'], '- cannot be combined with other files'],
      [['generate', 'missing.portico'], 'no such file or folder: missing.portico'],
      [['generate', 'a.txt'], 'a.txt is not a schema file'],
      [['check', 'empty'], 'no schema files (*.portico) found in empty'],
      [['generate', '--check', '--watch'], '--check and --watch cannot be combined'],
      [['generate', '--import-extension', 'mjs'], '--import-extension must be js or ts, not mjs'],
    ]
    for (const [args, says] of wrong) {
      const run = portico(folder, ...args)
      expect([args, run.code, run.out]).toEqual([args, 2, ''])
      expect(run.err).toContain(says)
      expect(run.err).not.toContain('    at ')
    }
  }, 30_000)

  it('--json prints a failure as JSON and nothing else', () => {
    const folder = makeFolder({
      'portico.config.mjs': `export default { schema: 'a.portico', database: async () => { throw new Error('no driver') } }\n`,
      'a.portico': `@db.table 'a'\nexport interface A {\n  @meta.id\n  id: number\n}\n`,
    })
    writeFileSync(join(folder, 'bytes.portico'), Buffer.of(0xff))
    const wrong: [args: string[], code: string, message: string][] = [
      [['genrate', '--json'], 'USAGE', 'unknown command genrate'],
      [['check', '--json', '--nope'], 'USAGE', 'unknown option --nope'],
      [['format', '-', '--json'], 'USAGE', '- and --json cannot be combined'],
      [['generate', 'missing.portico', '--json'], 'USAGE', 'no such file or folder: missing.portico'],
      [['spec', '--json'], 'APP_MISSING', 'portico.config.mjs'],
      [['sync', '--plan', '--json'], 'CONFIG_FAILED', 'no driver'],
      [['check', 'bytes.portico', '--json'], 'FAILED', 'is not UTF-8 text'],
    ]
    for (const [args, code, message] of wrong) {
      const run = portico(folder, ...args)
      expect([args, run.code, run.err]).toEqual([args, 2, ''])
      expect(run.out).toMatch(/^[^\n]+\n$/)
      expect(JSON.parse(run.out)).toEqual({ error: { code, message: expect.stringContaining(message) } })
    }
    expect(portico(folder, 'check', 'missing.portico', '--', '--json')).toMatchObject({ code: 2, out: '' })
  }, 60_000)

  it('prints no colors without a terminal', () => {
    const run = portico(makeFolder({ 'a.portico': bad }), 'check')
    expect(run.err).not.toContain('\u001b')
  })
})
