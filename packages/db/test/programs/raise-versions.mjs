// Raises one record's version as often as it can for a while, each time from what it has seen.
import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { Person } from '@portico/db/testing'
import { adapterOf } from './adapter-of.mjs'

const [place = '', id = '', durationMs = ''] = process.argv.slice(2)
const db = await openDatabase(adapterOf(place))
const people = db.table(Person)
const report = { written: 0, conflicts: 0, errors: /** @type {string[]} */ ([]), blockedMs: 0 }

// Linux tells how long a thread has run, and how long it was ready to run but other processes had the processors. What
// is left of the time between two turns of the event loop it slept: between turns as short as these, that is waiting.
// A virtual machine that is held up itself shows the same, now and then: of a hundred turns the worst one is not counted.
const statistics = `/proc/self/task/${process.pid}/schedstat`
const busyMs = () => {
  const [ran = 0, queued = 0] = existsSync(statistics) ? readFileSync(statistics, 'utf8').split(' ').map(Number) : []
  return (ran + queued) / 1e6
}
const slept = /** @type {number[]} */ ([])
let last = { wall: performance.now(), busy: busyMs() }
const ticker = setInterval(() => {
  const now = { wall: performance.now(), busy: busyMs() }
  slept.push(now.wall - last.wall - (now.busy - last.busy))
  last = now
}, 2)

const end = Date.now() + Number(durationMs)
while (Date.now() < end) {
  const seen = await people.findById(id)
  if (!seen) throw new Error('the record is gone')
  try {
    await people.updateOne({ ...seen, age: (seen.age ?? 0) + 1 })
    report.written += 1
  } catch (error) {
    const { code } = /** @type {{ code: string }} */ (error)
    if (code === 'VERSION_CONFLICT') report.conflicts += 1
    else report.errors.push(code)
  }
  // Timers have their turn, as in a server.
  await turn()
}
clearInterval(ticker)
report.blockedMs = slept.toSorted((a, b) => a - b)[Math.floor(slept.length * 0.99)] ?? Number.NaN
await db.close()
process.stdout.write(`report ${JSON.stringify(report)}\n`)
