import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AuthorizeError } from './errors.ts'
import { type Page, renderPage } from './page.ts'
import { findStray, type Stray } from './stray.ts'

/** Catches one redirect from the browser and answers it once the login's outcome is known. */
export interface LoopbackServer {
  readonly redirectUri: string
  /** The query of the first request that is a callback; strays never settle it. */
  readonly callback: Promise<URLSearchParams>
  /** Shows the page to the waiting browser, then releases the port and every socket. */
  close(page: Page): Promise<void>
}

const callbackPath = '/callback'
const longestPageWriteMs = 1_000

const headers = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Listens on 127.0.0.1 at a port the system picks. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  // Browsers send the cookies of every port of 127.0.0.1 along, and some servers' codes are long.
  const server = createServer({ maxHeaderSize: 65_536, headersTimeout: 10_000, requestTimeout: 10_000 })
  const sockets = trackSockets(server)
  const host = `127.0.0.1:${await listen(server)}`
  const waiting: ServerResponse[] = []
  const callback = new Promise<URLSearchParams>((resolve) => {
    let accepted: string | undefined
    server.on('request', (request, response) => {
      const target = readTarget(request)
      const stray = findStray(request, target, { host, path: callbackPath })
      if (stray) return refuse(response, stray)
      // A reload of the very same callback waits along with it; anything else comes too late.
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
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(waiting.map((response) => sendPage(response, page)))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const tooLate: Stray = { status: 410, reason: 'This sign-in has been answered already.' }

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new AuthorizeError('exchange_failed', 'no server could be started on 127.0.0.1', { cause }))
    })
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Node closes only sockets that have sent a request; browsers also open some ahead of need. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** Splits the request target by hand: it need not be a URL (`GET //`), and only one path matters. */
function readTarget(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', ...query] = (request.url ?? '').split('?')
  return { path, query: new URLSearchParams(query.join('?')) }
}

function refuse(response: ServerResponse, { status, reason, allow }: Stray): void {
  response.writeHead(status, { ...headers, ...(allow && { allow }), 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${reason}\n`)
}

/** Settles when the page has left, or when the browser has gone or does not take it. */
function sendPage(response: ServerResponse, page: Page): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve()
    const timer = setTimeout(resolve, longestPageWriteMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    response.once('finish', done).once('close', done)
    response.writeHead(page === 'signed-in' ? 200 : 400, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    response.end(renderPage(page))
  })
}
