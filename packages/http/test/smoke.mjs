// A route, a refusal and the client, on any Node, as users import them.
import assert from 'node:assert/strict'
import { createApp, defineRoute, HttpError } from '@portico/http'
import { createTableClient, ProblemError } from '@portico/http/client'

const app = createApp().register(
  defineRoute({
    method: 'GET',
    path: '/double/:n',
    params: { n: Number },
    handler: ({ params }) => ({ n: params.n * 2 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/tasks/query',
    handler: () => {
      throw new HttpError(403, 'FORBIDDEN', 'not for you')
    },
  }),
)
const url = await app.listen()
assert.deepEqual(await (await fetch(`${url}/double/21`)).json(), { n: 42 })
const refused = await fetch(`${url}/double/x`)
assert.equal(refused.status, 400)
assert.equal((await refused.json()).code, 'VALIDATION_FAILED')
const tasks = createTableClient(/** @type {never} */ ({ key: ['id'] }), { url: `${url}/tasks` })
await assert.rejects(tasks.findMany(), (error) => error instanceof ProblemError && error.code === 'FORBIDDEN')
await app.close()
