// One contender in a process of its own: opens, proves that it does the work right, then measures slices on command.
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { BATCH, type Contender, GROUP, makeItem, type OperationName, ROWS, type StoredItem } from './work.ts'

const [file = '', name = '', place = ''] = process.argv.slice(2)
const { contenders } = (await import(pathToFileURL(file).href)) as {
  contenders: Record<string, (place: string) => Promise<Contender>>
}
const contender = await contenders[name]!(place)
await fill()
await prove()
process.send?.('ready')

process.on('message', (message: { operation: OperationName; count: number } | 'end') => {
  if (message === 'end') process.exit(0)
  void measure(message.operation, message.count).then((sample) => process.send?.(sample))
})

async function fill(): Promise<void> {
  for (let start = 0; start < ROWS; start += BATCH) {
    await contender.insertMany(Array.from({ length: BATCH }, (_, index) => makeItem(start + index)))
  }
}

/** A contender that gives wrong answers is not measured. */
async function prove(): Promise<void> {
  assert.deepEqual(plain(await contender.findById(5)), { id: 5, ...makeItem(4) })
  const group = plain(await contender.findMany(3)) as unknown as StoredItem[]
  assert.deepEqual(
    group.toSorted((a, b) => a.id - b.id),
    Array.from({ length: GROUP }, (_, index) => ({ id: 3 * GROUP + index + 1, ...makeItem(3 * GROUP + index) })),
  )
  await contender.insertOne(makeItem(77))
  assert.deepEqual(plain(await contender.findById(ROWS + 1)), { id: ROWS + 1, ...makeItem(77) })
  await contender.updateOne(ROWS + 1, { name: 'changed', active: false })
  assert.deepEqual(plain(await contender.findById(ROWS + 1)), {
    id: ROWS + 1,
    ...makeItem(77),
    name: 'changed',
    active: false,
  })
  await contender.deleteOne(ROWS + 1)
  assert.equal((await contender.findById(ROWS + 1)) ?? undefined, undefined)
}

function plain(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
}

let nextId = ROWS + 2
/** The last of the records that the slices of `insertOne` added. */
let lastAdded = 0

async function measure(operation: OperationName, count: number): Promise<{ wallMs: number; cpuMs: number }> {
  const first = nextId
  const step = prepare(operation)
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let index = 0; index < count; index++) {
    const answer = step(index)
    // Some libraries answer with something like a promise, and begin only when it is waited for.
    if (typeof (answer as { then?: unknown } | undefined)?.then === 'function') await answer
  }
  const wallMs = performance.now() - started
  const used = process.cpuUsage(cpu)
  if (operation === 'insertOne') {
    nextId += count
    lastAdded = nextId - 1
  }
  if (operation === 'insertMany') nextId += count * BATCH
  // A slice of deletions removes what the slice before it added. Batches are cleared separately.
  if (operation === 'insertMany') await contender.clear(first - 1)
  return { wallMs, cpuMs: (used.user + used.system) / 1000 }
}

function prepare(operation: OperationName): (index: number) => unknown {
  const batch = Array.from({ length: BATCH }, (_, index) => makeItem(index))
  let random = 12_345
  const pick = (): number => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    return random % ROWS
  }
  switch (operation) {
    case 'insertOne':
      return (index) => contender.insertOne(makeItem(index))
    case 'insertMany':
      return () => contender.insertMany(batch)
    case 'findById':
      return () => contender.findById(pick() + 1)
    case 'findMany':
      return () => contender.findMany(pick() % (ROWS / GROUP))
    case 'updateOne':
      return (index) => contender.updateOne(pick() + 1, { name: `changed ${index}`, active: index % 2 === 0 })
    case 'deleteOne':
      return (index) => contender.deleteOne(lastAdded - index)
  }
}
