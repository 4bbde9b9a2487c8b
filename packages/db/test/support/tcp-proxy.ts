import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Applied when a client sends data that matches:
 * - `cutBefore`: close both connections; the server never sees it.
 * - `cutAfter`: pass it on, let the server do it, then close both without its answer.
 * - `reset`: pass it on and reset the client's connection at once.
 * - `hold`: pass it on and never bring the answer.
 * - `late`: pass it on two seconds later.
 */
export type Fault = 'cutBefore' | 'cutAfter' | 'reset' | 'hold' | 'late'

/** Stands between a client and a server, and fails on command. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Arms a fault for the first data that fits. */
  arm(pattern: RegExp, fault: Fault): void
  /** Refuses new connections and cuts those that are open, until it is called with `false`. */
  down(isDown: boolean): void
  /** True once the armed fault has happened. */
  readonly isSprung: boolean
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let armed: { pattern: RegExp; fault: Fault } | undefined
  let isDown = false
  const server = createServer((client) => {
    if (isDown) return void client.destroy()
    const upstream = connect(targetPort, '127.0.0.1')
    let isHeld = false
    const close = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', close)
      socket.on('close', () => {
        sockets.delete(socket)
        close()
      })
    }
    upstream.on('data', (chunk) => {
      if (!isHeld) client.write(chunk)
    })
    client.on('data', (chunk) => {
      if (!armed?.pattern.test(chunk.toString('latin1'))) return void upstream.write(chunk)
      const { fault } = armed
      armed = undefined
      if (fault === 'late') return void sleep(2000).then(() => upstream.write(chunk))
      isHeld = true
      if (fault === 'cutBefore') return close()
      upstream.write(chunk)
      if (fault === 'reset') {
        // The server has it by then; the client hears nothing but the reset.
        upstream.once('data', () => upstream.destroy())
        client.resetAndDestroy()
      }
      if (fault === 'cutAfter') void sleep(60).then(close)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    arm(pattern, fault) {
      armed = { pattern, fault }
    },
    get isSprung() {
      return armed === undefined
    },
    down(value) {
      isDown = value
      if (isDown) for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
