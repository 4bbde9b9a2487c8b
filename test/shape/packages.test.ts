import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { members, packages, readText, trackedFiles } from './workspace.ts'

/** Which packages a package may import. Arrows point one way; what is not listed is forbidden. */
const mayImport: Record<string, readonly string[]> = {
  '@portico/login': [],
  '@portico/identity': [],
  '@portico/schema': [],
  '@portico/db': ['@portico/schema'],
  '@portico/http': ['@portico/db', '@portico/schema'],
  '@portico/spec': ['@portico/http'],
  '@portico/auth-server': ['@portico/identity', '@portico/http', '@portico/db', '@portico/schema'],
  '@portico/cli': ['@portico/login', '@portico/schema', '@portico/db', '@portico/spec'],
  '@portico/demo': Object.keys({
    login: 0,
    identity: 0,
    schema: 0,
    db: 0,
    http: 0,
    spec: 0,
    'auth-server': 0,
    cli: 0,
  }).map((it) => `@portico/${it}`),
}

/** The module names a source file imports: statements at the start of a line, since texts may speak of imports too. */
function importsOf(file: string): string[] {
  const statement = /^(?:import|export)\s[^'"`;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm
  return [...readText(file).matchAll(statement)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

function sourcesOf(folder: string): string[] {
  return trackedFiles.filter((file) => file.startsWith(`${folder}/src/`) && /\.[mc]?ts$/.test(file))
}

describe.each(members.map((member) => [member.manifest.name, member] as const))('%s', (name, { folder, manifest }) => {
  it.runIf(folder.startsWith('packages/'))('has type tests', () => {
    expect(existsSync(join(root, folder, 'test', 'types.test-d.ts'))).toBe(true)
  })

  it('has sources: no package is empty', () => {
    expect(sourcesOf(folder).length).toBeGreaterThan(0)
  })

  it('imports other packages only in the allowed direction, and declares each', () => {
    const allowed = mayImport[name]
    expect(allowed, `say in this test what ${name} may import`).toBeDefined()
    for (const file of sourcesOf(folder)) {
      for (const target of importsOf(file).filter((it) => it.startsWith('@portico/'))) {
        const [scope, part] = target.split('/')
        const imported = `${scope}/${part}`
        expect(allowed, `${file} imports ${target}`).toContain(imported)
        expect({ ...manifest.dependencies, ...manifest.peerDependencies }, `${file} imports ${target}`).toHaveProperty([
          imported,
        ])
      }
    }
  })

  it('imports other packages only through their exports', () => {
    for (const file of trackedFiles.filter((it) => it.startsWith(`${folder}/`) && /\.[mc]?ts$/.test(it))) {
      for (const target of importsOf(file)) {
        if (target.startsWith('.')) {
          const reached = join(file, '..', target)
          const inside =
            reached.startsWith(`${folder}/`) || reached.startsWith('test/') || reached.startsWith('scripts/')
          expect(inside, `${file} reaches into ${reached}`).toBe(true)
        } else if (target.startsWith('@portico/')) {
          const [scope, part, ...rest] = target.split('/')
          const exported = members.find((it) => it.manifest.name === `${scope}/${part}`)?.manifest.exports ?? {}
          expect(Object.keys(exported), `${file} imports ${target}`).toContain(
            rest.length > 0 ? `./${rest.join('/')}` : '.',
          )
        }
      }
    }
  })

  it('declares what its sources import', () => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
    for (const file of sourcesOf(folder)) {
      for (const target of importsOf(file).filter((it) => !/^(\.|node:|@portico\/)/.test(it))) {
        const dependency = target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/')
        expect(declared, `${file} imports ${target}`).toHaveProperty([dependency])
      }
    }
  })

  it('names its scripts as every package does', () => {
    const scripts = Object.keys(manifest.scripts ?? {})
    expect(scripts).toEqual(expect.arrayContaining(['build', 'test', 'test:types', 'lint', 'format']))
    if (folder.startsWith('packages/')) expect(scripts).toEqual(expect.arrayContaining(['bench', 'docs']))
  })
})

describe.each(packages.map((member) => [member.manifest.name, member] as const))(
  '%s, as users import it',
  (name, { folder, manifest }) => {
    const entries = Object.entries(manifest.exports ?? {}).filter(([subpath]) => subpath !== './package.json')

    it('exports something', () => {
      expect(entries.length).toBeGreaterThan(0)
    })

    it.each(entries)('%s resolves, loads and has types', async (_, target) => {
      expect(target, 'an object with types and default').toBeTypeOf('object')
      const { types = '', default: code = '' } = target as { types?: string; default?: string }
      expect(existsSync(join(root, folder, types)), types).toBe(true)
      expect(types).toMatch(/\.d\.ts$/)
      const loaded = await import(pathToFileURL(join(root, folder, code)).href)
      expect(Object.keys(loaded).length).toBeGreaterThan(0)
    })

    it('has a README, and is listed in the top README', () => {
      expect(existsSync(join(root, folder, 'README.md'))).toBe(true)
      expect(readText('README.md')).toContain(`](${folder})`)
      expect(readText(join(folder, 'README.md'))).toContain(`# ${name}`)
    })

    it('has a smoke test for other versions of Node', () => {
      expect(existsSync(join(root, folder, 'test', 'smoke.mjs'))).toBe(true)
    })

    it('needs Node 20.19, is an ES module, is licensed, and is published for everybody', () => {
      expect(manifest).toMatchObject({
        type: 'module',
        license: 'MIT',
        engines: { node: '>=20.19' },
        // Without it npm takes a package with a scope for a private one, and refuses to publish it.
        publishConfig: { access: 'public' },
      })
    })
  },
)

it.each(['@portico/login', '@portico/schema'].filter((name) => packages.some((it) => it.manifest.name === name)))(
  '%s has no run-time dependencies',
  (name) => {
    const manifest = packages.find((it) => it.manifest.name === name)?.manifest
    expect(manifest).toBeDefined()
    expect({ ...manifest?.dependencies, ...manifest?.peerDependencies, ...manifest?.optionalDependencies }).toEqual({})
  },
)

it('every package is built and type-checked by the root', () => {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  )
  for (const folder of folders.filter((it) => existsSync(join(root, it, 'package.json')))) {
    expect(readText('tsconfig.json')).toContain(`"${folder}"`)
    expect(readText('tsconfig.tests.json')).toContain(`"${folder}/test"`)
  }
})
