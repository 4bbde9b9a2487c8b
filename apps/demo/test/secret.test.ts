import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepSecret } from '../dist/secret.js'
import { makeFolder } from './support/demo.ts'

it('is made once, for its owner alone', () => {
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

it('does not mind what a start that was cut short left behind', () => {
  const folder = makeFolder()
  writeFileSync(join(folder, `secret.${process.pid}.tmp`), 'half')
  expect(keepSecret(folder)).toHaveLength(43)
  expect(readdirSync(folder)).toEqual(['secret'])
})
