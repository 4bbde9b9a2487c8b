// One instance of an app, as behind a proxy: node instance.mjs <port> <drainMs>. SIGTERM ends it.
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, defineRoute, reply } from '@portico/http'

const [port, drainMs] = process.argv.slice(2).map(Number)

const app = createApp().register(
  defineRoute({
    method: 'GET',
    path: '/health',
    handler: () => reply({ ready: app.isReady }, { status: app.isReady ? 200 : 503 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/work',
    async handler() {
      await sleep(Math.random() * 10)
      return { pid: process.pid }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/work',
    body: { type: 'object' },
    async handler({ body }) {
      await sleep(Math.random() * 10)
      return body
    },
  }),
)

process.once('SIGTERM', () => void app.close({ drainMs }))
await app.listen({ port })
console.log('listening')
