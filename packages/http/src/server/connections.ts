import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, for closing it without losing a request. */
export interface Connections {
  /** Notes that a request has come through a connection. */
  use(socket: Socket): void
  /** From now on every answer says `connection: close`, those of the running requests too. */
  announceClose(): void
  /** Closes those that wait for a request, except for those that were accepted just now. */
  closeIdle(): void
}

/** How long after its connection was accepted a first request may still be on its way. */
const FIRST_REQUEST_MS = 1000

export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>()
  /** When those that no request has come through yet were accepted. */
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
      // Before Fastify's own listener, so that what it refuses by itself says so too.
      server.prependListener('request', (_, response) => void response.setHeader('connection', 'close'))
      for (const socket of open) {
        const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
        if (response && !response.headersSent) response.setHeader('connection', 'close')
      }
    },
    closeIdle() {
      server.closeIdleConnections()
      const longAgo = performance.now() - FIRST_REQUEST_MS
      for (const [socket, acceptedAt] of unused) if (acceptedAt <= longAgo) socket.destroy()
    },
  }
}
