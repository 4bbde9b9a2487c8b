import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConfigError } from '../../dist/config.js'
import { compileSchema, findAdapter, loadApp, loadConfig } from '../../dist/load-config.js'
import { makeFolder } from '../support/cli.ts'

const adapter = `{ name: 'none', open() {} }`

describe('loading the configuration', () => {
  it('finds it in a parent folder and resolves paths relative to it', async () => {
    const folder = makeFolder({
      'portico.config.mjs': `export default { schema: ['tables'], app: 'app.mjs' }`,
      'app.mjs': `export const made = 'here'`,
      'tables/a.portico': `@db.table 'a'\nexport interface A { @meta.id id: number }`,
      'deep/er/keep.txt': '',
    })
    const config = await loadConfig(join(folder, 'deep', 'er'))
    expect(config).toMatchObject({ path: join(folder, 'portico.config.mjs'), folder })
    expect(await loadApp(config)).toMatchObject({ made: 'here' })
    const { models, failed } = compileSchema(config)
    expect(failed).toBe(false)
    expect(models.map((it) => it.path)).toEqual(['tables/a.portico'])
  })

  it('loads a given file', async () => {
    const folder = makeFolder({
      'portico.config.mjs': 'export default {}',
      'other.mjs': `export default { schema: 'other' }`,
    })
    expect(await loadConfig(folder, 'other.mjs')).toMatchObject({ schema: 'other' })
  })

  it('calls a database function only when the database is needed', async () => {
    const folder = makeFolder({
      'portico.config.mjs': `export default { database: async () => (globalThis.porticoAsked = true, ${adapter}) }`,
    })
    const config = await loadConfig(folder)
    expect(globalThis).not.toHaveProperty('porticoAsked')
    expect(await findAdapter(config)).toMatchObject({ name: 'none' })
    expect(globalThis).toHaveProperty('porticoAsked', true)
    Reflect.deleteProperty(globalThis, 'porticoAsked')
  })

  it('accepts an adapter', async () => {
    const folder = makeFolder({ 'portico.config.mjs': `export default { database: ${adapter} }` })
    expect(await findAdapter(await loadConfig(folder))).toMatchObject({ name: 'none' })
  })
})

type Refusal = [title: string, source: string, code: ConfigError['code'], message: string]

const refusals: Refusal[] = [
  ['that throws', `throw new Error('no luck')`, 'CONFIG_FAILED', 'failed: no luck'],
  ['without a default export', 'export const a = 1', 'OPTIONS_INVALID', 'the default export is missing'],
  [
    'whose tables are something else',
    'export default { tables: [{ name: 1 }] }',
    'OPTIONS_INVALID',
    '`tables` must be a list of',
  ],
  [
    'with an unknown setting',
    'export default { shema: 1 }',
    'OPTIONS_INVALID',
    'unknown option `shema`; did you mean `schema`?',
  ],
  ['whose schema is a number', 'export default { schema: 1 }', 'OPTIONS_INVALID', '`schema` must be a path'],
  [
    'whose database is text',
    `export default { database: 'app.db' }`,
    'OPTIONS_INVALID',
    '`database` must be an adapter',
  ],
  ['whose app is an object', 'export default { app: {} }', 'OPTIONS_INVALID', '`app` must be the path of a module'],
  ['whose main is a number', 'export default { main: 1 }', 'OPTIONS_INVALID', '`main` must be the path of a module'],
  ['whose server is a number', 'export default { server: 1 }', 'OPTIONS_INVALID', '`server` must be a URL'],
]

describe('refusing a configuration', () => {
  it.each(refusals)('%s', async (_, source, code, message) => {
    const folder = makeFolder({ 'portico.config.mjs': source })
    await expect(loadConfig(folder)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('that does not exist', async () => {
    const folder = makeFolder({})
    await expect(loadConfig(folder)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' })
    await expect(loadConfig(folder, 'gone.ts')).rejects.toMatchObject({
      message: 'configuration file gone.ts not found',
    })
  })

  it('without a required setting', async () => {
    const config = await loadConfig(makeFolder({ 'portico.config.mjs': `export default { }` }))
    await expect(findAdapter(config)).rejects.toMatchObject({ code: 'DATABASE_MISSING' })
    await expect(loadApp(config)).rejects.toMatchObject({ code: 'APP_MISSING' })
    await expect(loadApp({ ...config, app: 'gone.ts' })).rejects.toMatchObject({ code: 'APP_MISSING' })
  })

  it('with a database function that fails or returns something else', async () => {
    const config = await loadConfig(makeFolder({ 'portico.config.mjs': `export default { }` }))
    const failing = findAdapter({ ...config, database: () => Promise.reject(new Error('no address')) })
    await expect(failing).rejects.toMatchObject({
      code: 'CONFIG_FAILED',
      message: expect.stringContaining('no address'),
    })
    const wrong = findAdapter({ ...config, database: (() => 'x') as never })
    await expect(wrong).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })
})
