import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Tracks the connections of a server, so that it can close without losing a request. */
export interface Connections {
  /** Records that a connection has carried a request. */
  use(socket: Socket): void
  /** From now on every response has `connection: close`, those of running requests included. */
  announceClose(): void
  /** Closes the idle connections, except for those that were accepted just now. */
  closeIdle(): void
}

/** The first request of a new connection may still be on its way for this long. */
const FIRST_REQUEST_MS = 1000

export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>()
  /** The time at which each connection without a request was accepted. */
  const unused = new Map<Socket, number>()
  server.on('connection', (socket) => {
    open.add(socket)
    unused.set(socket, performance.now())
    socket.once('close', () => {
      open.delete(socket)
      unused.delete(socket)
    })
  })
  return {
    use: (socket) => void unused.delete(socket),
    announceClose() {
      // Before Fastify's own listener, so that its refusals have the header too.
      server.prependListener('request', (_, response) => void response.setHeader('connection', 'close'))
      for (const socket of open) {
        const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
        if (response && !response.headersSent) response.setHeader('connection', 'close')
      }
    },
    closeIdle() {
      server.closeIdleConnections()
      const deadline = performance.now() - FIRST_REQUEST_MS
      for (const [socket, acceptedAt] of unused) if (acceptedAt <= deadline) socket.destroy()
    },
  }
}
