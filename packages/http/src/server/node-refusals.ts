import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ProblemReply, plain } from './reply-error.ts'

/** Responds with a problem where Node would respond without a body: to an unknown `Expect`, and to CONNECT. */
export function replaceNodeRefusals(server: Server): void {
  server.on('checkExpectation', (_, response) => {
    const { problem } = plain(417, 'EXPECTATION_FAILED', 'the only supported value of Expect is `100-continue`')
    response.writeHead(problem.status, { 'content-type': 'application/problem+json', connection: 'close' })
    response.end(JSON.stringify(problem))
  })
  server.on('connect', (_, socket) => {
    // Leave it to a plugin that handles CONNECT.
    if (server.listenerCount('connect') > 1) return
    socket.on('error', () => {})
    writeProblem(socket, plain(400, 'MALFORMED_REQUEST', 'this server is not a proxy'))
  })
}

/** Writes a response to a bare socket and ends the connection. */
export function writeProblem(socket: Duplex, { problem }: ProblemReply): void {
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
