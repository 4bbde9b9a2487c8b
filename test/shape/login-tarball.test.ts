import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loginProgram, runProgram } from '../../packages/login/test/support/programs.ts'
import { packPackage } from '../../scripts/pack.mjs'
import { root } from '../../scripts/run.mjs'
import { startAuthorizationServer } from '../support/authorization-server.ts'

describe('the published @portico/login', () => {
  let folder: string
  let installed: string
  const sizes = new Map<string, number>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-packed-'))
    const tarball = await packPackage('login', folder)
    installed = join(folder, 'node_modules', '@portico', 'login')
    await mkdir(installed, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
    for (const line of execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).trim().split('\n')) {
      const [, size = '', name = ''] =
        line.match(/(\d+) \S+ \S+ package\/(\S+)$/) ?? line.match(/\s(\d+)\s.*package\/(\S+)$/) ?? []
      sizes.set(name, Number(size))
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is under 30 kB unpacked, without maps', () => {
    expect([...sizes.keys()]).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']),
    )
    const total = [...sizes].filter(([name]) => !name.endsWith('.map')).reduce((sum, [, size]) => sum + size, 0)
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(30_000)
  })

  it('depends on nothing', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
    const imports = (await readFile(join(installed, 'dist', 'index.js'), 'utf8')).matchAll(/\bfrom\s*["'`]([^"'`]+)/g)
    for (const [, name] of imports) expect(name).toMatch(/^node:/)
  })

  it('shows where its code comes from, and nothing of the machine that packed it', async () => {
    const map = JSON.parse(await readFile(join(installed, 'dist', 'index.js.map'), 'utf8'))
    expect(map.sources).toContain('../src/authorize.ts')
    for (const source of map.sources) expect(source).toMatch(/^\.\.\/src\/[\w-]+\.ts$/)
    expect(map.sourcesContent.join('')).toContain('export async function authorize(')
    expect(await readFile(join(installed, 'dist', 'index.d.ts'), 'utf8')).not.toContain('sourceMappingURL')
  })

  it('shows readable errors when nobody catches them', async () => {
    const source = `import { authorize } from '@portico/login'\nawait authorize({ authorizeUrl: 'x', tokenUrl: 'x' })`
    await using program = await runProgram(source, { nodeModules: join(folder, 'node_modules') })
    const { code, output } = await program.ended
    expect(code).toBe(1)
    expect(output).toMatch(
      /^AuthorizeError: authorize: `authorizeUrl` must be an http: or https: URL without credentials, got a string$/m,
    )
    expect(output).toMatch(/at readSettings /)
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThan(400)
  })

  it('signs in as it is published', async () => {
    await using server = await startAuthorizationServer()
    await using program = await runProgram(loginProgram(server.options), { nodeModules: join(folder, 'node_modules') })
    await (await fetch((await program.line(/^url /)).slice(4))).text()
    await program.line(/^settled user-1$/)
  })

  it('has types that a strict program compiles against', async () => {
    const source = `import { authorize, AuthorizeError, type AuthorizeOptions, type AuthorizeResult } from '@portico/login'
const options: AuthorizeOptions = { authorizeUrl: '', tokenUrl: '' }
export const result: Promise<AuthorizeResult> = authorize(options)
export const code: 'timeout' | 'provider_denied' | 'state_mismatch' | 'exchange_failed' | 'status_check_failed' = new AuthorizeError('timeout', '').code
`
    await writeFile(join(folder, 'consumer.mts'), source)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const args = [
      tsc,
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--types',
      '',
      'consumer.mts',
    ]
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  })
})
