import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { BalancingProxy } from './balancing-proxy.ts'

const INSTANCES = 4
const CLIENTS = 6
const REQUESTS = 3000
const DRAIN_MS = 1000

it('four instances that are restarted in turn lose no request, behind a proxy that keeps connections and one that does not', async () => {
  const ports = await Promise.all(Array.from({ length: INSTANCES }, findPort))
  const instances = await Promise.all(ports.map(start))
  await using keeping = new BalancingProxy(ports, { keepAlive: true })
  await using plain = new BalancingProxy(ports, { keepAlive: false })
  try {
    const urls = [await keeping.listen(), await plain.listen()]
    await Promise.all([keeping.waitForUp(INSTANCES), plain.waitForUp(INSTANCES)])
    const load = new Load()
    const clients = urls.flatMap((url) => Array.from({ length: CLIENTS }, () => load.run(url)))
    for (const [index, port] of ports.entries()) {
      const exited = once(instances[index]!, 'exit')
      instances[index]!.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      instances[index] = await start(port)
      await Promise.all([keeping.waitForUp(INSTANCES), plain.waitForUp(INSTANCES)])
    }
    load.stopAt(REQUESTS)
    await Promise.all(clients)
    expect(load.failures).toEqual([])
    expect(load.sent).toBeGreaterThanOrEqual(REQUESTS)
  } finally {
    for (const it of instances) it.kill('SIGKILL')
  }
}, 180_000)

/** Requests, one after the other in each client, until there were enough. */
class Load {
  sent = 0
  readonly failures: string[] = []
  #enough = Number.POSITIVE_INFINITY

  stopAt(count: number): void {
    this.#enough = count
  }

  async run(url: string): Promise<void> {
    while (this.sent < this.#enough) {
      this.sent += 1
      const body = this.sent % 3 === 0 ? JSON.stringify({ n: this.sent }) : undefined
      const init = body && { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      try {
        const response = await fetch(`${url}/work`, init || {})
        const text = await response.text()
        const isRight = response.status === 200 && (body === undefined || text === body)
        if (!isRight) this.failures.push(`${body ? 'POST' : 'GET'} ${response.status} ${text}`)
      } catch (error) {
        this.failures.push(String(error))
      }
    }
  }
}

async function start(port: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('programs/instance.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, String(port), String(DRAIN_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
