// Raises one record's version a number of times, each time from the version that it has read.
import { setImmediate as turn } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { Person } from '@portico/db/testing'
import { adapterOf } from './adapter-of.mjs'

const [place = '', id = '', count = ''] = process.argv.slice(2)
const db = await openDatabase(adapterOf(place))
const people = db.table(Person)
const report = { written: 0, conflicts: 0, errors: /** @type {string[]} */ ([]) }

while (report.written < Number(count) && report.errors.length === 0) {
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
await db.close()
process.stdout.write(`report ${JSON.stringify(report)}\n`)
