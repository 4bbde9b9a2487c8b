import { execFile, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder, portico, program } from './support/cli.ts'
import { startRegistry } from './support/registry.ts'

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

const template = join(root, 'packages/cli/template/package.json')

describe('portico init', { timeout: 60_000 }, () => {
  it('creates an app in a new folder, generated and formatted, and prints the next steps', () => {
    const folder = makeFolder({})
    const run = portico(folder, 'init', 'notes')
    expect(run).toMatchObject({ code: 0, err: '' })
    expect(run.out).toContain('wrote src/notes.portico.ts\n')
    // The packages of a clone may not be published, so the app installs their tarballs.
    const clone = relative(realpathSync(join(folder, 'notes')), realpathSync(root))
    expect(run.out).toContain(
      `  cd notes\n  npm run pack:all --prefix ${clone}\n  npm install ${clone}/packs/*.tgz\n  npm run dev\n`,
    )
    const app = join(folder, 'notes')
    expect(readdirSync(app).sort()).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'portico.config.ts',
      'src',
      'test',
      'tsconfig.build.json',
      'tsconfig.json',
    ])
    expect(portico(app, 'generate', '--check').code).toBe(0)
    expect(portico(app, 'format', '--check').code).toBe(0)
    expect(readJson(app, 'package.json')).toMatchObject({
      name: 'notes',
      devDependencies: { '@portico/cli': '^0.1.0' },
    })
    expect(readFileSync(join(app, 'README.md'), 'utf8')).toMatch(/^# notes\n/)
  })

  it('uses the current folder and a given name', () => {
    const folder = makeFolder({})
    mkdirSync(join(folder, '.git'))
    const run = portico(folder, 'init', '--name', '@acme/notes', '--json')
    expect(JSON.parse(run.out)).toMatchObject({ name: '@acme/notes', files: expect.arrayContaining(['src/main.ts']) })
    expect(readJson(folder, 'package.json')).toMatchObject({ name: '@acme/notes' })
    expect(run.code).toBe(0)
  })

  it.each([
    ["it's here", "cd 'it'\\''s here'"],
    ['$(touch mine)', "cd '$(touch mine)'"],
  ])('quotes the folder %s for a shell', (name, command) => {
    const folder = makeFolder({})
    expect(portico(folder, 'init', name, '--name', 'notes').out).toContain(`  ${command}\n  npm run pack:all`)
  })

  it('refuses a folder that is not empty and does not change it', () => {
    const folder = makeFolder({ 'app/package.json': 'mine', file: 'x' })
    expect(portico(folder, 'init', 'app')).toMatchObject({
      code: 2,
      err: expect.stringContaining('app is not empty: it contains package.json'),
    })
    expect(readdirSync(join(folder, 'app'))).toEqual(['package.json'])
    expect(readFileSync(join(folder, 'app/package.json'), 'utf8')).toBe('mine')
    expect(portico(folder, 'init', 'file')).toMatchObject({ code: 2, err: expect.stringContaining('file is a file') })
  })

  it.skipIf(process.platform === 'win32')('does not overwrite a file that appears at the same moment', () => {
    // A copy of the command whose manifest is a pipe: it is read after the look at the folder and before anything is written.
    const folder = makeFolder({
      'cli/dist/package.json': '{ "type": "module" }',
      'cli/dist/start.js': `import { run } from './index.js'\nprocess.exitCode = await run(process.argv.slice(2))\n`,
      'manifest.json': '{ "version": "0.1.0" }',
    })
    for (const part of ['dist', 'template']) {
      cpSync(join(root, 'packages/cli', part), join(folder, 'cli', part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'cli/node_modules'))
    const meanwhile = `mkfifo cli/package.json
node cli/dist/start.js init app & init=$!
{ mkdir app; echo mine > app/README.md; cat manifest.json; } > cli/package.json
wait $init`
    const { status, stderr } = spawnSync('sh', ['-c', meanwhile], { cwd: folder, encoding: 'utf8', timeout: 30_000 })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^portico: EEXIST: .*README\.md/)])
    expect(readdirSync(join(folder, 'app'))).toEqual(['README.md'])
    expect(readFileSync(join(folder, 'app/README.md'), 'utf8')).toBe('mine\n')
  })

  it.skipIf(process.platform === 'win32')('leaves nothing behind if it cannot write all files', () => {
    const folder = makeFolder({})
    const limited = `ulimit -f 1; exec '${process.execPath}' '${program}' init app`
    const { status, stderr } = spawnSync('sh', ['-c', limited], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^portico: EFBIG/)])
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a name that npm would reject, and writes nothing', () => {
    const folder = makeFolder({})
    expect(portico(folder, 'init', 'My App')).toMatchObject({ code: 2, err: expect.stringContaining('with --name') })
    expect(readdirSync(folder)).toEqual([])
  })

  it('uses the versions that this repository is tested with', () => {
    const { dependencies, devDependencies } = readJson(template)
    for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      expect(range.replace('^', ''), name).toBe(readJson(root, 'node_modules', name, 'package.json').version)
    }
  })
})

describe('a new app outside the repository, with the packed packages', () => {
  it('installs, type-checks, tests, builds and starts', async () => {
    const folder = makeFolder({ npmrc: '' })
    const { dependencies, devDependencies } = readJson(template)
    const registry = await startRegistry(join(folder, 'packs'), Object.keys({ ...dependencies, ...devDependencies }))
    const env = {
      ...process.env,
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: registry,
    }
    const cwd = join(folder, 'notes')
    const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd, env })
    expect(portico(folder, 'init', 'notes').code).toBe(0)
    // Native modules are prebuilt.
    await npm('install', '--ignore-scripts', '--no-audit', '--no-fund')
    expect(realpathSync(join(cwd, 'node_modules/@portico/http'))).toBe(
      join(realpathSync(cwd), 'node_modules/@portico/http'),
    )

    const again = await promisify(execFile)('npx', ['portico', 'init', 'other'], { cwd, env })
    expect(again.stdout).toContain('  cd other\n  npm install\n  npm run dev\n')
    rmSync(join(cwd, 'other'), { recursive: true })

    await npm('run', 'typecheck')
    expect((await npm('test')).stdout).toMatch(/^# pass 1$/m)
    await npm('run', 'build')
    const { stdout } = await npm('exec', '--', 'portico', 'spec')
    expect(Object.keys(JSON.parse(stdout).paths)).toEqual(
      expect.arrayContaining(['/summary', '/notes', '/notes/query']),
    )
    const started = spawn(process.execPath, ['dist/main.js'], { cwd, env: { ...env, PORT: '0' } })
    const closed = new Promise((resolve) => started.once('close', resolve))
    onTestFinished(async () => {
      started.kill('SIGKILL')
      await closed
    })
    const url = await new Promise<string>((resolve, reject) => {
      const greeting = /^Listening at (http:[^;]+);/
      createInterface(started.stdout).on('line', (line) => greeting.test(line) && resolve(greeting.exec(line)![1]!))
      started.once('close', () => reject(new Error('it ended at once')))
    })
    const payload = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{ "title": "Milk" }' }
    expect((await fetch(`${url}/notes`, payload)).status).toBe(201)
    expect(await (await fetch(`${url}/summary`)).json()).toEqual({ open: 1, done: 0 })
    expect((await fetch(`${url}/api-docs`)).status).toBe(200)
    const { port } = new URL(url)
    const second = promisify(execFile)(process.execPath, ['dist/main.js'], { cwd, env: { ...env, PORT: port } })
    await expect(second).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(`^Port ${port} is in use: .*\n$`),
    })
    expect((await fetch(`${url}/`, { redirect: 'manual' })).headers.get('location')).toBe('/api-docs')
    const lost = { ...env, PORT: '0', DATABASE_FILE: cwd }
    await expect(promisify(execFile)(process.execPath, ['dist/main.js'], { cwd, env: lost })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The app cannot start: its database is not ready \(UNAVAILABLE\):\n.*\n$/),
    })
    started.kill('SIGTERM')
    expect(await closed).toBe(0)

    writeFileSync(join(cwd, 'src/wrong.ts'), 'export const wrong: string = 1\n')
    await expect(npm('run', 'typecheck')).rejects.toMatchObject({ stdout: expect.stringContaining('src/wrong.ts') })
  }, 600_000)
})
