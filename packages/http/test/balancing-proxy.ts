import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Upstream {
  readonly port: number
  isUp: boolean
}

/**
 * A proxy as load balancers are: takes turns among the instances whose health route answers 200, and goes on to the next
 * one where a connection is refused, since nothing was sent then. Anything else that fails is a 502.
 */
export class BalancingProxy implements AsyncDisposable {
  readonly #upstreams: readonly Upstream[]
  readonly #agent: Agent
  readonly #server: Server
  readonly #stopped = new AbortController()
  #checks: readonly Promise<void>[] = []
  #turn = 0

  /** With `keepAlive` it uses connections again; otherwise each request has its own. */
  constructor(ports: readonly number[], { keepAlive }: { readonly keepAlive: boolean }) {
    this.#upstreams = ports.map((port) => ({ port, isUp: false }))
    this.#agent = new Agent({ keepAlive })
    this.#server = createServer((incoming, answer) => void this.#pass(incoming, answer))
  }

  async listen(): Promise<string> {
    this.#checks = this.#upstreams.map((it) => this.#watch(it))
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Waits until as many instances as these are up. */
  async waitForUp(count: number): Promise<void> {
    while (this.#upstreams.filter((it) => it.isUp).length < count) await sleep(10)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#checks)
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #watch(upstream: Upstream): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const url = `http://127.0.0.1:${upstream.port}/health`
      const response = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
      upstream.isUp = response?.status === 200
      await response?.body?.cancel()
      await sleep(20)
    }
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    for (let attempt = 0; attempt < this.#upstreams.length; attempt++) {
      const upstream = this.#next()
      try {
        const { status, text } = await this.#send(upstream.port, incoming, body)
        answer.writeHead(status, { 'content-type': 'application/json' }).end(text)
        return
      } catch (error) {
        const { code } = error as { code?: string }
        if (code === 'ECONNREFUSED') continue
        answer.writeHead(502).end(String(code ?? error))
        return
      }
    }
    answer.writeHead(502).end('no instance is up')
  }

  #next(): Upstream {
    const up = this.#upstreams.filter((it) => it.isUp)
    const among = up.length > 0 ? up : this.#upstreams
    this.#turn += 1
    return among[this.#turn % among.length]!
  }

  #send(
    port: number,
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const { connection: _, ...passed } = headers
      const options = { port, host: '127.0.0.1', method, path: url, headers: passed, agent: this.#agent }
      request(options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
        response.once('error', reject)
      })
        .once('error', reject)
        .end(body)
    })
  }
}
