import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthorizeError } from './errors.ts'
import { type Page, renderPage } from './page.ts'
import { findStray, type Stray } from './stray.ts'

/** Catches one redirect from the browser, and responds when the outcome of the login is known. */
export interface LoopbackServer {
  readonly redirectUri: string
  /** The query of the first callback. Stray requests do not settle it. */
  readonly callback: Promise<URLSearchParams>
  /** Shows the page to the waiting browser, then releases the port and every socket. */
  close(page: Page): Promise<void>
}

const callbackPath = '/callback'

const headers = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Listens on 127.0.0.1, on a port chosen by the system. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  // Browsers send the cookies of every port of 127.0.0.1, and some servers issue long codes.
  const server = createServer({ maxHeaderSize: 65_536 })
  const host = `127.0.0.1:${await listen(server)}`
  const waiting: ServerResponse[] = []
  const callback = new Promise<URLSearchParams>((resolve) => {
    let accepted: string | undefined
    server.on('request', (request, response) => {
      const target = readTarget(request)
      const stray = findStray(request, target, { host, path: callbackPath })
      if (stray) return refuse(response, stray)
      // A reload of the same callback waits for the same page. Any other callback is too late.
      if (accepted !== undefined && accepted !== request.url) return refuse(response, tooLate)
      accepted = request.url
      waiting.push(response)
      resolve(target.query)
    })
  })
  return {
    redirectUri: `http://${host}${callbackPath}`,
    callback,
    async close(page) {
      server.close()
      await Promise.all(waiting.map((response) => sendPage(response, page)))
      server.closeAllConnections()
    },
  }
}

const tooLate: Stray = [410, 'This sign-in has been answered already.']

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (cause) => {
      reject(new AuthorizeError('exchange_failed', 'no server could be started on 127.0.0.1', { cause }))
    })
    // Exclusive: otherwise the workers of a cluster share one port and receive each other's callbacks.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}

/** Splits the request target by hand, since it may not be a URL (`GET //`). */
function readTarget(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', ...query] = (request.url ?? '').split('?')
  return { path, query: new URLSearchParams(query.join('?')) }
}

function refuse(response: ServerResponse, [status, reason]: Stray): void {
  send(response, status, 'text/plain', `${reason}\n`)
}

/** Resolves when the page is sent, or the browser has disconnected. */
function sendPage(response: ServerResponse, page: Page): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve()
    response.once('finish', resolve).once('close', resolve)
    send(response, page === 'signed-in' ? 200 : 400, 'text/html', renderPage(page))
  })
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const allow = status === 405 && { allow: 'GET' }
  response.writeHead(status, { ...headers, ...allow, 'content-type': `${type}; charset=utf-8` }).end(body)
}
