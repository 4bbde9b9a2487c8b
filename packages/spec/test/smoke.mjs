// A description and its page, on any Node, as users import them.
import assert from 'node:assert/strict'
import { createApp, defineRoute } from '@portico/http'
import { createSpec, diffSpecs, SpecError, specController, writeYaml } from '@portico/spec'

const greet = defineRoute({
  method: 'GET',
  path: '/greet/:name',
  params: { name: String },
  returns: String,
  handler: ({ params }) => `Hello ${params.name}`,
})
const document = createSpec([greet], { title: 'Greetings', version: '1.0.0' })
assert.equal(document.paths['/greet/{name}']?.['get']?.operationId, 'GET__greet___name__')
assert.match(writeYaml(document), /^openapi: "3\.1\.0"\n/)
assert.deepEqual(diffSpecs(document, document), [])
assert.throws(
  () => createSpec([], { servers: [] }),
  (error) => error instanceof SpecError,
)

const app = createApp().register(greet, specController({ title: 'Greetings' }))
const url = await app.listen()
const served = await (await fetch(`${url}/api-docs/spec.json`)).json()
assert.deepEqual(Object.keys(served.paths), ['/greet/{name}'])
assert.match(await (await fetch(`${url}/api-docs`)).text(), /<title>Greetings<\/title>/)
assert.equal((await fetch(`${url}/api-docs/assets/swagger-ui-bundle.js`)).status, 200)
await app.close()
