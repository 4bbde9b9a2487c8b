import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Knows the connections that nothing is going on in. */
export interface IdleConnections {
  /** Tells that a request has come through a connection. */
  use(socket: Socket): void
  /** Closes those that wait for a request, the first one included, which Node itself would wait for. */
  close(): void
}

export function trackIdleConnections(server: Server): IdleConnections {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  return {
    use: (socket) => void unused.delete(socket),
    close() {
      server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
    },
  }
}
