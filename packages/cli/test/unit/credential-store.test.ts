import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CredentialStore } from '../../dist/login/credential-store.js'
import { makeFolder } from '../support/cli.ts'

const module = new URL('../../dist/login/credential-store.js', import.meta.url).href

const credential = (server: string, signedInAt = 1) => ({ server, accessToken: `token for ${server}`, signedInAt })
const [one, two, three] = ['https://one.example', 'https://two.example', 'https://one.example/base'].map((it, index) =>
  credential(it, 3 - index),
)

function makeStore() {
  const store = new CredentialStore(join(makeFolder({}), 'config', 'portico'))
  return { store, files: () => readdirSync(store.folder).map((it) => join(store.folder, it)) }
}

describe('the credential store', () => {
  it('keeps one sign-in per server and lists the last one last', () => {
    const { store, files } = makeStore()
    expect([store.find(one!.server), store.list()]).toEqual([undefined, []])
    for (const it of [one!, two!, three!]) store.save(it)
    expect(store.find(one!.server)).toEqual(one)
    expect(store.list()).toEqual([three, two, one])
    store.save({ ...one!, accessToken: 'another', userId: 'ada', expiresAt: 9 })
    expect(store.find(one!.server)).toMatchObject({ accessToken: 'another', userId: 'ada', expiresAt: 9 })
    expect(files()).toHaveLength(3)
    store.forget(one!.server)
    store.forget(one!.server)
    expect(store.list()).toEqual([three, two])
  })
})

describe.skipIf(process.platform === 'win32')('the files of the store', () => {
  it('are private, even in a folder that was open to others', () => {
    const { store, files } = makeStore()
    mkdirSync(store.folder, { recursive: true, mode: 0o755 })
    store.save(one!)
    expect(statSync(store.folder).mode & 0o777).toBe(0o700)
    expect(files().map((it) => statSync(it).mode & 0o777)).toEqual([0o600])
  })

  it('are replaced atomically, never through a link', () => {
    const { store, files } = makeStore()
    store.save(one!)
    const [file = ''] = files()
    const target = join(store.folder, 'precious')
    renameSync(file, target)
    symlinkSync(target, file)
    const before = readFileSync(target, 'utf8')
    // A link that someone put at the path of the new file is not followed either.
    symlinkSync(target, `${file}.${process.pid}.tmp`)
    store.save({ ...one!, accessToken: 'new' })
    expect(readFileSync(target, 'utf8')).toBe(before)
    expect(lstatSync(file).isFile()).toBe(true)
    expect(store.find(one!.server)).toMatchObject({ accessToken: 'new' })
  })

  it.each([0o640, 0o604, 0o660])('are not read with the mode %o', (mode) => {
    const { store, files } = makeStore()
    store.save(one!)
    chmodSync(files()[0]!, mode)
    expect(() => store.find(one!.server)).toThrow(expect.objectContaining({ code: 'CREDENTIALS_UNSAFE' }))
    expect(() => store.list()).toThrow('others can read the token')
  })

  it.each([0o770, 0o702])('are not read in a folder with the mode %o', (mode) => {
    const { store } = makeStore()
    store.save(one!)
    chmodSync(store.folder, mode)
    expect(() => store.find(one!.server)).toThrow('others can write to')
    expect(() => store.save(one!)).toThrow('others can write to')
  })

  it('a pipe in place of a file does not block', () => {
    const { store, files } = makeStore()
    store.save(one!)
    const [file = ''] = files()
    rmSync(file)
    execFileSync('mkfifo', ['-m', '600', file])
    // In a process of its own: a wait could not be broken off here.
    const script = `import { CredentialStore } from ${JSON.stringify(module)}
console.log(await new Promise((resolve) => resolve(new CredentialStore(process.argv[1]).list())).catch((it) => it.message))`
    const args = ['--input-type=module', '-e', script, store.folder]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' })
    expect(stdout).toContain('is not a regular file')
  })

  it.skipIf(process.getuid?.() !== 0)('are not read if they or their folder belong to another user', () => {
    const { store, files } = makeStore()
    store.save(one!)
    chownSync(files()[0]!, 65_534, 65_534)
    expect(() => store.find(one!.server)).toThrow(/token\.json belongs to another user/)
    chownSync(files()[0]!, 0, 0)
    chownSync(store.folder, 65_534, 65_534)
    expect(() => store.find(one!.server)).toThrow('portico belongs to another user')
    expect(() => store.save(one!)).toThrow('portico belongs to another user')
  })

  it('are not read through a link to a file or folder', () => {
    const { store, files } = makeStore()
    store.save(one!)
    const [file = ''] = files()
    renameSync(file, `${file}.elsewhere`)
    symlinkSync(`${file}.elsewhere`, file)
    expect(() => store.find(one!.server)).toThrow('is a link')
    const linked = join(makeFolder({}), 'portico')
    symlinkSync(store.folder, linked)
    expect(() => new CredentialStore(linked).find(one!.server)).toThrow('is a link or a file')
    expect(() => new CredentialStore(linked).save(one!)).toThrow('is a link or a file')
  })
})

it.each(['', 'null', '[]', '{', '{ "accessToken": "secret" }'])(
  'a damaged file is reported without its content: %s',
  (text) => {
    const { store, files } = makeStore()
    store.save(one!)
    writeFileSync(files()[0]!, text)
    expect(() => store.find(one!.server)).toThrow(expect.objectContaining({ code: 'CREDENTIALS_BROKEN' }))
    expect(() => store.find(one!.server)).not.toThrow('secret')
  },
)
