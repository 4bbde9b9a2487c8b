import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ProblemReply, plain } from './reply-error.ts'

/** Answers with a problem what Node would refuse by itself, without a body: an `Expect` that it does not know, CONNECT. */
export function refuseInNodesPlace(server: Server): void {
  server.on('checkExpectation', (_, response) => {
    const { problem } = plain(417, 'EXPECTATION_FAILED', 'of Expect only `100-continue` is known')
    response.writeHead(problem.status, { 'content-type': 'application/problem+json', connection: 'close' })
    response.end(JSON.stringify(problem))
  })
  server.on('connect', (_, socket) => {
    // A plugin that takes such requests answers them.
    if (server.listenerCount('connect') > 1) return
    socket.on('error', () => {})
    writeProblem(socket, plain(400, 'MALFORMED_REQUEST', 'this server is not a proxy'))
  })
}

/** Writes an answer where there is nothing that would do it, and ends the connection. */
export function writeProblem(socket: Duplex, { problem }: ProblemReply): void {
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
