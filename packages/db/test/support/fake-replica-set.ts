import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { BSON, type Document } from 'mongodb'

/** A fault: an answer instead of the server's, no answer, or a connection that ends before or after the command. */
type Fault = Document | 'hold' | 'cutBefore' | 'cutAfter'

/**
 * Stands before a single server and says that it is a replica set, so that the driver sends what belongs to transactions.
 * The server behind takes each command for itself: nothing is rolled back. What can be seen is what was sent.
 */
export interface FakeReplicaSet extends AsyncDisposable {
  readonly port: number
  /** The commands since the last call, but for the driver's own. */
  take(): Document[]
  /** Fails the next commands of a name, one after the other. */
  fail(command: string, ...faults: readonly Fault[]): void
  /** The largest number of concurrent commands. */
  mostAtOnce: number
}

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

const drivers = new Set(['hello', 'ismaster', 'isMaster', 'endSessions', 'ping'])
const transactional = new Set(['commitTransaction', 'abortTransaction'])

export async function startFakeReplicaSet(targetPort: number): Promise<FakeReplicaSet> {
  const sockets = new Set<Socket>()
  const faults = new Map<string, Fault[]>()
  let seen: Document[] = []
  let port = 0
  let running = 0
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1')
    const close = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', close)
      socket.on('close', () => {
        sockets.delete(socket)
        close()
      })
    }
    let isCut = false
    onMessages(upstream, (message) => {
      running -= 1
      if (isCut) close()
      else client.write(message)
    })
    onMessages(client, (message) => {
      const { opCode, requestId, command } = readMessage(message)
      if (opCode === OP_QUERY) return void client.write(writeReply(requestId, describe(port)))
      const name = Object.keys(command)[0]!
      const answer = (document: Document): void => void client.write(writeMessage(requestId, document))
      if (drivers.has(name)) return answer(describe(port))
      seen.push(command)
      const fault = faults.get(name)?.shift()
      if (fault === 'hold') return
      if (fault === 'cutBefore') return close()
      if (typeof fault === 'object') return answer(fault)
      if (transactional.has(name)) return fault === 'cutAfter' ? close() : answer({ ok: 1 })
      isCut = fault === 'cutAfter'
      running += 1
      set.mostAtOnce = Math.max(set.mostAtOnce, running)
      upstream.write(message)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
  const set: FakeReplicaSet = {
    port,
    mostAtOnce: 0,
    take() {
      const taken = seen
      seen = []
      return taken
    },
    fail: (command, ...list) => void faults.set(command, [...list]),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return set
}

function describe(port: number): Document {
  const me = `127.0.0.1:${port}`
  return {
    isWritablePrimary: true,
    ismaster: true,
    setName: 'fake',
    setVersion: 1,
    hosts: [me],
    primary: me,
    me,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 17,
    ok: 1,
  }
}

/** Cuts what arrives into messages; each begins with its length. */
function onMessages(socket: Socket, handle: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      handle(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  })
}

/** The body of a command; documents that travel beside it are left where they are. */
function readMessage(message: Buffer): { opCode: number; requestId: number; command: Document } {
  const opCode = message.readInt32LE(12)
  const requestId = message.readInt32LE(4)
  if (opCode !== OP_MSG) return { opCode, requestId, command: {} }
  let place = 20
  while (message[place] !== 0) place += 1 + message.readInt32LE(place + 1)
  const size = message.readInt32LE(place + 1)
  return { opCode, requestId, command: BSON.deserialize(message.subarray(place + 1, place + 1 + size)) }
}

function writeMessage(responseTo: number, document: Document): Buffer {
  return frame(responseTo, OP_MSG, [Buffer.alloc(5), BSON.serialize(document)])
}

/** The old form of an answer, which a client takes before it knows the server. */
function writeReply(responseTo: number, document: Document): Buffer {
  const head = Buffer.alloc(20)
  head.writeInt32LE(1, 16)
  return frame(responseTo, OP_REPLY, [head, BSON.serialize(document)])
}

function frame(responseTo: number, opCode: number, parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(16)
  for (const [index, value] of [head.length + body.length, 1, responseTo, opCode].entries()) {
    head.writeInt32LE(value, index * 4)
  }
  return Buffer.concat([head, body])
}
