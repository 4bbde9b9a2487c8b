import { Compiler, compile } from '@portico/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const stamped = 'export interface Stamped extends Named {\n  at: number\n  by?: User.id\n}\n'
const named = 'export interface Named {\n  name: string\n}\n'
const user = "@db.table 'users'\nexport interface User extends Stamped, Owned {\n  @meta.id\n  id: number\n}\n"
const owned = 'export interface Owned {\n  owner: Label\n}\n'
const label = 'export type Label = string.required\n'
const declarations = [stamped, named, user, owned, label]

/** The emitted interfaces by their names, so that the order of the declarations does not matter. */
function interfacesOf(code: string): Record<string, string> {
  const found = [...code.matchAll(/^export interface (\w+) [\s\S]*?^\}|^export interface (\w+) .*\{\}$/gm)]
  return Object.fromEntries(found.map((it) => [it[1] ?? it[2], it[0]]))
}

function emit(text: string): string {
  const { modules, diagnostics } = compile([{ path: 'a.portico', text }])
  expect(diagnostics).toEqual([])
  return modules[0]!.code
}

describe('extends', () => {
  it('inherits from a base that is declared later in the file', () => {
    const code = emit('export interface A extends S { id: number }\ninterface S { at: number }')
    expect(code).toContain('export interface A extends S {\n  id: number\n}')
    expect(code).toContain('export interface S {\n  at: number\n}')
  })

  it('inherits from a base in a later file', () => {
    const { modules } = compile([
      { path: 'a.portico', text: "import { S } from './z'\nexport interface A extends S { id: number }" },
      { path: 'z.portico', text: 'export interface S { at: number }' },
    ])
    expect(modules[0]!.code).toContain('export interface A extends S {\n  id: number\n}')
  })

  it('a base may reference a field of an interface that extends it', () => {
    for (const text of [stamped + named + user + owned + label, user + owned + named + label + stamped]) {
      expect(emit(text)).toContain('export interface User extends Stamped, Owned {')
    }
  })

  it('one error if a base contains an interface that extends it, in either order', () => {
    const base = 'interface Base { kids: Child[] }\n'
    const child = 'interface Child extends Base { a: string }\n'
    for (const text of [base + child, child + base]) {
      expect(compile([{ path: 'a.portico', text }]).diagnostics.map((it) => it.code)).toEqual(['type_cycle'])
    }
  })

  it('the order of declarations does not matter', () => {
    const expected = interfacesOf(emit(declarations.join('\n')))
    expect(expected['User']).toContain('extends Stamped, Owned')
    const anyOrder = fc.shuffledSubarray(declarations, { minLength: declarations.length })
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(interfacesOf(emit(order.join('\n')))).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})

describe('extends across files', () => {
  const files: Record<string, string> = {
    'a.portico': `import { Stamped } from './s'\nimport { Owned } from './o'\n\n${user}`,
    'n.portico': named,
    'o.portico': `import { Label } from './l'\n\n${owned}`,
    'l.portico': label,
    's.portico': `import { Named } from './n'\nimport { User } from './a'\n\n${stamped}`,
  }
  const compileAll = (paths: readonly string[]) => {
    const { modules, diagnostics } = compile(paths.map((path) => ({ path, text: files[path]! })))
    expect(diagnostics).toEqual([])
    return Object.fromEntries(modules.map((it) => [it.path, it.code]))
  }
  const expected = compileAll(Object.keys(files))

  it('the order of files does not matter', () => {
    expect(expected['a.portico.ts']).toContain('export interface User extends Stamped, Owned {')
    const anyOrder = fc.shuffledSubarray(Object.keys(files), { minLength: Object.keys(files).length })
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(compileAll(order)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  it('incremental compilation gives the same modules', () => {
    const paths = Object.keys(files)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...paths), { maxLength: 6 }), (touched) => {
        const texts = new Map(Object.entries(files))
        const compiler = new Compiler({ read: (path) => texts.get(path) })
        compiler.compile(paths)
        for (const path of touched) {
          texts.set(path, `${texts.get(path)}\n`)
          const { modules } = compiler.compile(paths)
          expect(Object.fromEntries(modules.map((it) => [it.path, it.code]))).toEqual(expected)
        }
      }),
      { numRuns: 20 },
    )
  })
})
