import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, type CompiledExamples, compileExamples, type Examples, readPage } from '../support/doc-examples.ts'
import { trackedFiles } from './workspace.ts'

const secret = 'a secret of 32 bytes, for tests alone'

/** Added to the app of the front page, which would run on: it has to keep strangers out and describe its table. */
const ending = `
const refused = await app.inject('/tasks/query')
if (refused.json().code !== 'UNAUTHENTICATED') throw new Error(refused.body)
const { paths } = (await app.inject('/api-docs/spec.json')).json()
if (!paths['/tasks/query']) throw new Error('the table is not described')
await app.close()
await db.close()
`

const pages: readonly Examples[] = [
  {
    page: 'README.md',
    edit: (text) => text.replace('{ port: 3000 }', '{ port: 0 }') + ending,
    env: { AUTH_SECRET: secret, CLIENT_ID: 'app', CLIENT_SECRET: secret },
  },
  { page: 'docs/guide/testing.md', main: 'tracker.test' },
  { page: 'docs/guide/engines.md' },
  { page: 'docs/guide/tables.md', main: 'tasks' },
  { page: 'docs/guide/sign-in.md' },
  { page: 'docs/guide/api-docs.md' },
  { page: 'packages/auth-server/README.md' },
  { page: 'packages/db/README.md' },
  { page: 'packages/spec/README.md' },
]

/** They import a test runner or the reader's own adapter, and so are not run. */
const compiledOnly: readonly Examples[] = [{ page: 'docs/guide/writing-an-adapter.md' }]

describe('the examples of', () => {
  let compiled: CompiledExamples
  beforeAll(async () => {
    compiled = await compileExamples([...pages, ...compiledOnly])
  }, 120_000)
  afterAll(() => compiled?.[Symbol.asyncDispose]())

  it.each(pages.map((it) => it.page))('%s compile and run', (page) => compiled.run(page), 120_000)
})

describe('with the compiler options of the README, the examples of', () => {
  const pages = ['packages/http/README.md', 'docs/guide/controllers.md', 'docs/guide/table-routes.md']
  let compiled: CompiledExamples
  beforeAll(async () => {
    // The compiler options that the README shows have to be enough.
    const [config] = blocksOf(await readPage('packages/http/README.md'), 'json')
    const { compilerOptions } = JSON.parse(config!.text) as { compilerOptions: object }
    const examples = pages.map((page) => ({ page }))
    compiled = await compileExamples(examples, { ...compilerOptions, exactOptionalPropertyTypes: true })
  }, 120_000)
  afterAll(() => compiled?.[Symbol.asyncDispose]())

  it.each(pages)('%s compile and run', (page) => compiled.run(page), 120_000)
})

it('the index of the docs leads to every page', async () => {
  const index = await readPage('docs/README.md')
  const pages = trackedFiles.filter((file) => /^docs\/(guide|reference)\/[\w-]+\.md$/.test(file))
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages) expect(index, page).toContain(`](${page.replace('docs/', '')}`)
})
