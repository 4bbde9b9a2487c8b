import { expect, it } from 'vitest'
import { chooseAdapter } from '../dist/database.js'
import { makeFolder } from './support/demo.ts'

it.each([undefined, ''])('is SQLite without a URL: %j', async (url) => {
  expect(await chooseAdapter(url, makeFolder())).toMatchObject({ name: 'sqlite' })
})

it.each(['postgres://localhost/t', 'postgresql://localhost/t', 'PostgreSQL://localhost/t'])(
  'is PostgreSQL at %s',
  async (url) => {
    expect(await chooseAdapter(url, makeFolder())).toMatchObject({ name: 'postgres' })
  },
)

it.each(['constructor://u:hush@localhost/t', '__proto__://u:hush@localhost/t', 'postgres:u:hush', ' postgres://hush'])(
  'refuses %s, and quotes only its scheme',
  async (url) => {
    const { message } = await chooseAdapter(url, makeFolder()).then(
      () => new Error('there is one'),
      (error: Error) => error,
    )
    expect(message).toMatch(/^PORTICO_DATABASE_URL (?:is not a URL|starts with)/)
    expect(message).not.toContain('hush')
  },
)
