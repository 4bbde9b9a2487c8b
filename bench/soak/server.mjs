// The app of `npm start` in a separate process, so that only its heap is measured. Run with --expose-gc.
import { sqlite } from '@portico/db/sqlite'
import { startPlatform } from '../../apps/demo/dist/start.js'

const [folder = ''] = process.argv.slice(2)
// All clients share one address, which the rate limits count.
const rateLimits = { signIn: false, token: false, status: false }
const adapter = sqlite({ file: `${folder}/tracker.db` })
const platform = await startPlatform({ folder, adapter, port: 43_000, rateLimits })
process.on('message', (asked) => {
  if (asked !== 'heap') return void platform.close().then(() => process.disconnect())
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
process.send?.({ address: platform.address })
