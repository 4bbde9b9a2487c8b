// One whole login on any Node, against the smallest server that can answer it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { AuthorizeError, authorize } from '@portico/login'

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://server')
  if (request.method === 'POST') return response.end('{"access_token":"t","userId":"u"}')
  const callback = new URL(url.searchParams.get('redirect_uri') ?? '')
  callback.searchParams.set('code', 'c')
  callback.searchParams.set('state', url.searchParams.get('state') ?? '')
  return response.writeHead(302, { location: callback.href }).end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const base = `http://127.0.0.1:${port}`
/** @type {Promise<Response> | undefined} */
let page
const result = await authorize({
  authorizeUrl: base,
  tokenUrl: base,
  openBrowser: false,
  onUrl: (url) => {
    page = fetch(url)
  },
})
assert.deepEqual(result, { accessToken: 't', userId: 'u' })
assert.match((await (await page)?.text()) ?? '', /You are signed in/)
await assert.rejects(
  authorize({ authorizeUrl: base, tokenUrl: base, openBrowser: false, timeoutMs: 5 }),
  (error) => error instanceof AuthorizeError && error.code === 'timeout',
)
server.closeAllConnections()
server.close()
