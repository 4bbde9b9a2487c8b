// One whole login on any Node, against the smallest server that can answer it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { inspect } from 'node:util'
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
const broken = createServer((_, response) =>
  response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{"access_token":"SECRET"}\r\n'),
)
await new Promise((resolve) => broken.listen(0, '127.0.0.1', () => resolve(undefined)))
const tokenUrl = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (broken.address()).port}`
await assert.rejects(
  authorize({ authorizeUrl: base, tokenUrl, openBrowser: false, onUrl: (url) => void fetch(url) }),
  // Node's versions differ in what their HTTP errors carry: none of it may be a token.
  (error) =>
    error instanceof AuthorizeError &&
    error.code === 'exchange_failed' &&
    !inspect(error, { depth: null, showHidden: true }).includes('SECRET'),
)
broken.close()
server.closeAllConnections()
server.close()
