import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { readPage as read } from '../../../test/support/doc-examples.ts'
import { startServer } from './support/server.ts'

const guides = ['packages/auth-server/README.md', 'docs/guide/sign-in.md', 'docs/guide/cli-login.md']

describe('the examples', () => {
  it.each(guides)('of %s show pictures that are there', async (page) => {
    for (const [, image = ''] of (await read(page)).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      expect(existsSync(join(root, page, '..', image)), image).toBe(true)
  })
})

it('the reference of the endpoints has every route, and no other', async () => {
  await using it = await startServer()
  const page = await read('docs/reference/auth-endpoints.md')
  const listed = [...page.matchAll(/`((?:GET|POST) \/[^`?]*)[^`]*`/g)].map(([, route]) => route)
  // Preflight requests have a section of their own.
  const routes = it.server.routes.routes.filter(({ method }) => method !== 'OPTIONS')
  const served = routes.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(listed)).toEqual(new Set(served))
})

it('the guide lists every lifetime and rate limit with its default', async () => {
  const page = await read('docs/guide/sign-in.md')
  const lifetimes = await read('packages/auth-server/src/lifetimes.ts')
  const defaults = [...lifetimes.matchAll(/Default (\d+)[^*]*\*\/\n {2}readonly (\w+Sec): number/g)]
  expect(defaults.length).toBe(9)
  for (const [, value, name] of defaults) expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|[^|]*\\| ${value}\\b`))
})

describe('the security reference', () => {
  const rowsOf = async () =>
    [...(await read('docs/reference/security.md')).matchAll(/\| `([\w-]+\.test\.ts)`: (.+?) \|$/gm)].map(
      ([, file = '', name = '']) => ({ file, name }),
    )

  it('names tests that are there', async () => {
    const rows = await rowsOf()
    expect(rows.length).toBeGreaterThan(25)
    for (const { file, name } of rows) {
      const source = await read(`packages/auth-server/test/${file}`)
      expect(source.includes(`'${name}'`), `${file}: ${name}`).toBe(true)
    }
  })

  it('names every attack that is tested', async () => {
    const rows = await rowsOf()
    const source = await read('packages/auth-server/test/attacks.test.ts')
    const names = [...source.matchAll(/^ {2}it\('(.+?)', async/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(18)
    for (const name of names) expect(rows.map((it) => it.name)).toContain(name)
  })
})
