import { chmodSync, chownSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepSecret } from '../dist/secret.js'
import { makeFolder } from './support/demo.ts'

it('is created once, readable only by its owner', () => {
  const folder = join(makeFolder(), 'some', 'data')
  const secret = keepSecret(folder)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(keepSecret(folder)).toBe(secret)
  expect(keepSecret(makeFolder())).not.toBe(secret)
  expect(readdirSync(folder)).toEqual(['secret'])
  if (process.platform === 'win32') return
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

it('ignores the leftovers of an interrupted start', () => {
  const folder = makeFolder()
  writeFileSync(join(folder, `secret.${process.pid}.tmp`), 'half')
  expect(keepSecret(folder)).toHaveLength(43)
  expect(readdirSync(folder)).toEqual(['secret'])
})

describe.skipIf(process.platform === 'win32')('is refused', () => {
  const makeSecret = (): { folder: string; file: string } => {
    const folder = makeFolder()
    keepSecret(folder)
    return { folder, file: join(folder, 'secret') }
  }

  it('in a folder that everyone can write to', () => {
    const { folder } = makeSecret()
    chmodSync(folder, 0o777)
    expect(() => keepSecret(folder)).toThrow(expect.objectContaining({ code: 'FOLDER_EXPOSED' }))
  })

  it.each([0o640, 0o604])('with the mode %o', (mode) => {
    const { folder, file } = makeSecret()
    chmodSync(file, mode)
    expect(() => keepSecret(folder)).toThrow(expect.objectContaining({ code: 'SECRET_EXPOSED' }))
  })

  it('if it is a symbolic link', () => {
    const { folder, file } = makeSecret()
    renameSync(file, `${file}.real`)
    symlinkSync(`${file}.real`, file)
    expect(() => keepSecret(folder)).toThrow('is not a regular file that you own')
  })

  it.skipIf(process.getuid?.() !== 0)('if another user owns it', () => {
    const { folder, file } = makeSecret()
    chownSync(file, 65_534, 65_534)
    expect(() => keepSecret(folder)).toThrow('is not a regular file that you own')
  })
})
