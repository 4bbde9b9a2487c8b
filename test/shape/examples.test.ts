import { expect, it } from 'vitest'
import { readPage, runExamples } from '../support/doc-examples.ts'
import { trackedFiles } from './workspace.ts'

it('the app of the front page compiles, starts, and keeps strangers out', async () => {
  const secret = 'a secret of 32 bytes, for tests alone'
  const ending = `
const refused = await app.inject('/tasks/query')
if (refused.json().code !== 'UNAUTHENTICATED') throw new Error(refused.body)
const { paths } = (await app.inject('/api-docs/spec.json')).json()
if (!paths['/tasks/query']) throw new Error('the table is not described')
await app.close()
await db.close()
`
  await runExamples('README.md', undefined, {
    edit: (text) => text.replace('{ port: 3000 }', '{ port: 0 }') + ending,
    env: { AUTH_SECRET: secret, CLIENT_ID: 'app', CLIENT_SECRET: secret },
  })
}, 120_000)

it.each([
  ['docs/guide/testing.md', 'tracker.test'],
  ['docs/guide/engines.md', 'app'],
])('the examples of %s compile and run', (page, main) => runExamples(page, undefined, { main }), 120_000)

it('the index of the docs leads to every page', async () => {
  const index = await readPage('docs/README.md')
  const pages = trackedFiles.filter((file) => /^docs\/(guide|reference)\/[\w-]+\.md$/.test(file))
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages) expect(index, page).toContain(`](${page.replace('docs/', '')}`)
})
