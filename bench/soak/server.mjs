// The app of `npm start` as a process of its own, so that its heap is measured alone. Run with --expose-gc.
import { sqlite } from '@portico/db/sqlite'
import { startPlatform } from '../../apps/demo/dist/start.js'

const [folder = ''] = process.argv.slice(2)
// Everybody here has one address, which the limits are counted by.
const rateLimits = { signIn: false, token: false, status: false }
const adapter = sqlite({ file: `${folder}/tracker.db` })
const platform = await startPlatform({ folder, adapter, port: 43_000, rateLimits })
process.on('message', (asked) => {
  if (asked !== 'heap') return void platform.close().then(() => process.disconnect())
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
process.send?.({ address: platform.address })
