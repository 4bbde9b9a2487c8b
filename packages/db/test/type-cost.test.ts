import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '@portico/schema'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findJudges } from '../../../scripts/environment.mjs'
import { root } from '../../../scripts/run.mjs'

/** Every table leads to every other by a relation of its own. */
function hub(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const relation = (from: number, to: number): string => `,
    @db.rel.FK 'from${from}to${to}' r${to}Id?: T${to}.id
    @db.rel.to 'from${from}to${to}' r${to}?: T${to}`
  const table = (from: number): string => `@db.table 't${from}'
    export interface T${from} { @meta.id id: number, name: string, own${from}: string${numbers
      .filter((to) => to !== from)
      .map((to) => relation(from, to))
      .join('')} }`
  return numbers.map(table).join('\n')
}

/** Tables of equal structure, each with relations to the next and the one before. */
function ring(count: number): string {
  const table = (index: number): string => `@db.table 't${index}'
    export interface T${index} { @meta.id id: number, name: string, price: decimal
      @db.rel.FK nextId?: T${(index + 1) % count}.id
      @db.rel.to next?: T${(index + 1) % count}
      @db.rel.from before?: T${(index + count - 1) % count}[] }`
  return Array.from({ length: count }, (_, index) => table(index)).join('\n')
}

/** A project of a schema and a program that uses its tables. */
function makeProject(schema: string, program: string): { folder: string; file: string; text: string } {
  const folder = mkdtempSync(join(tmpdir(), 'portico-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const result = compile([{ path: 'tables.portico', text: schema }])
  expect(result.diagnostics.filter((it) => it.severity === 'error')).toEqual([])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'tables.portico.ts'), result.modules[0]!.code)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const text = `import type { Database } from '@portico/db'
import { T0 } from './tables.portico.js'
declare const db: Database
const t0 = db.table(T0)
${program}`
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(folder, 'program.ts'), text)
  return { folder, file: join(folder, 'program.ts'), text }
}

const tools = findJudges()?.path
const compilers = [
  ['the compiler of this repository', join(root, 'node_modules/typescript')],
  ['TypeScript 5', join(tools ?? '', 'node_modules/typescript')],
] as const

describe.each(compilers)('on %s', (_, typescript) => {
  // Counts of instantiations are the same on every machine; seconds are not.
  const check = (folder: string): { errors: string[]; instantiations: number } => {
    const args = [join(typescript, 'bin/tsc'), '-p', folder, '--extendedDiagnostics']
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
    return { errors, instantiations: Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]) }
  }

  describe.skipIf(!existsSync(typescript))('', () => {
    it('a condition inside `with` does not walk the graph of relations', { timeout: 60_000 }, () => {
      const { folder } = makeProject(
        hub(9),
        `const found = await t0.findMany({ with: { r1: { where: { name: 'a' }, orderBy: { name: 'asc' }, with: { r2: true } } } })
export const name: string | undefined = found[0]!.r1?.r2?.name`,
      )
      const { errors, instantiations } = check(folder)
      expect(errors).toEqual([])
      expect(instantiations).toBeLessThan(10_000)
    })

    it('many tables of one structure that lead to each other compile', { timeout: 60_000 }, () => {
      const { folder } = makeProject(
        ring(100),
        `export const found = await t0.findMany({ with: { before: { where: { name: 'a' } } } })`,
      )
      const { errors, instantiations } = check(folder)
      expect(errors).toEqual([])
      expect(instantiations).toBeLessThan(10_000)
    })
  })
})

describe.skipIf(!tools)('in an editor', { timeout: 60_000 }, () => {
  /** The completions and the hover at the mark ¦. */
  const ask = (marked: string): { completed: string[]; hover: string } => {
    const { file, text } = makeProject(ring(3), marked.replace('¦', ''))
    const place = text.length - marked.length + 1 + marked.indexOf('¦')
    const program = fileURLToPath(new URL('programs/ask-editor.mjs', import.meta.url))
    const args = [program, join(tools!, 'node_modules/typescript'), file, String(place)]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  }

  it.each([
    ['relations', 'void t0.findMany({ with: { ¦ } })', ['before', 'next']],
    [
      'the parts of a related query',
      'void t0.findMany({ with: { next: { ¦ } } })',
      ['orderBy', 'select', 'where', 'with'],
    ],
    [
      'the fields of a related condition',
      'void t0.findMany({ with: { next: { where: { ¦ } } } })',
      ['$and', '$not', '$or', 'id', 'name', 'nextId', 'price'],
    ],
    [
      'the operators of a decimal',
      'void t0.findMany({ where: { price: { ¦ } } })',
      ['$eq', '$gt', '$gte', '$in', '$lt', '$lte', '$ne', '$nin', '$null'],
    ],
  ])('%s are completed', (_, marked, expected) => {
    expect(ask(marked).completed).toEqual(expected)
  })

  it('a result reads as a plain object', () => {
    const { hover } = ask(
      "const f¦ound = await t0.findMany({ select: ['id'], with: { next: { select: ['name'] }, before: true } })",
    )
    expect(hover).toBe('const found: { id: number; before: T2[]; next?: { name: string; } | undefined; }[]')
  })
})
