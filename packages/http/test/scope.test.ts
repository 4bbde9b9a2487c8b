import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { aTask, openTracker, type Tracker } from './support.ts'
import type { TaskInsert } from './tracker.portico.ts'
import { Task } from './tracker.portico.ts'

/** Everyone is confined to the tasks of the person that the header names. */
let tracker: Tracker
beforeEach(async () => {
  tracker = await openTracker({ scope: (request) => ({ ownerId: Number(request.headers['x-person']) }) })
  const tasks: TaskInsert[] = [1, 1, 2, 2].map((ownerId, index) => ({ ...aTask, ownerId, title: `Task ${index + 1}` }))
  await tracker.db.table(Task).insertMany(tasks)
})
afterEach(() => tracker[Symbol.asyncDispose]())

const asAda = { 'x-person': '1' }

/** What belongs to Grace. */
function others() {
  return tracker.db.table(Task).findMany({ where: { ownerId: 2 } })
}

describe('what is inside the scope', () => {
  it('can be read, changed and deleted', async () => {
    expect((await tracker.get('/tasks/one/1', asAda)).json()).toMatchObject({ title: 'Task 1' })
    expect((await tracker.get('/tasks/query?$count=true', asAda)).headers['x-total-count']).toBe('2')
    expect((await tracker.send('PATCH', '/tasks?id=1', { title: 'A' }, asAda)).json()).toMatchObject({
      title: 'A',
      version: 2,
    })
    const replaced = await tracker.send('PUT', '/tasks?id=1', { ...aTask, title: 'B' }, { ...asAda, 'if-match': '"2"' })
    expect(replaced.json()).toMatchObject({ title: 'B', version: 3 })
    expect((await tracker.send('PUT', '/tasks?id=1', { ...aTask, version: 2 }, asAda)).statusCode).toBe(409)
    expect((await tracker.send('DELETE', '/tasks/1', undefined, { ...asAda, 'if-match': '"1"' })).statusCode).toBe(412)
    expect((await tracker.send('DELETE', '/tasks/1', undefined, asAda)).statusCode).toBe(204)
  })

  it('need not say what the scope fixes', async () => {
    const { ownerId: _, ...unowned } = aTask
    expect((await tracker.send('POST', '/tasks', unowned, asAda)).json()).toMatchObject({ ownerId: 1 })
    expect((await tracker.send('POST', '/tasks', [unowned, aTask], asAda)).statusCode).toBe(201)
  })

  it('replaces as without a scope: what is left out is cleared, what was made stays', async () => {
    await tracker.db.table(Task).updateOne({ id: 1, estimate: 3, place: { city: 'Bern' } })
    const before = await tracker.db.table(Task).findById(1)
    const answer = await tracker.send('PUT', '/tasks?id=1', aTask, asAda)
    const { estimate: _, place: __, ...rest } = before!
    expect(answer.json()).toEqual({ ...rest, title: 'Write', version: 3 })
    expect((await tracker.send('PUT', '/tasks?id=1', { title: 'x' }, asAda)).statusCode).toBe(400)
  })
})

describe('a key that is a condition', () => {
  const keys = [{ $gt: 0 }, { $gte: 1 }, { $in: [1, 2, 3] }, { $ne: null }, [1, 2], { $null: false }]
  it.each(keys.flatMap((id) => [asAda, { ...asAda, 'if-match': '*' }].map((headers) => [id, headers] as const)))(
    '%j is refused and writes nothing, %o',
    async (id, headers) => {
      const before = await tracker.db.table(Task).findMany()
      for (const extra of [{ title: 'mass' }, { title: 'planted', ownerId: 2, version: 1 }]) {
        const answer = await tracker.send('PATCH', '/tasks', { id, ...extra }, headers)
        expect(answer.statusCode).toBe(400)
        expect(answer.headers['content-type']).toContain('application/problem+json')
      }
      expect(await tracker.db.table(Task).findMany()).toEqual(before)
    },
  )
})

describe('what is outside of the scope', () => {
  it('cannot be told from what is not there', async () => {
    const before = await others()
    for (const id of [3, 99]) {
      const answers = [
        await tracker.get(`/tasks/one?id=${id}`, asAda),
        await tracker.get(`/tasks/one/${id}`, asAda),
        await tracker.send('PATCH', `/tasks?id=${id}`, { title: 'mine' }, asAda),
        await tracker.send('PATCH', `/tasks?id=${id}`, { title: 'mine', version: 1 }, asAda),
        await tracker.send('PATCH', `/tasks?id=${id}`, { title: 'mine' }, { ...asAda, 'if-match': '"7"' }),
        await tracker.send('PUT', `/tasks?id=${id}`, aTask, asAda),
        await tracker.send('DELETE', `/tasks?id=${id}`, undefined, asAda),
        await tracker.send('DELETE', `/tasks/${id}`, undefined, { ...asAda, 'if-match': '"1"' }),
      ]
      for (const answer of answers) expect(answer.json()).toMatchObject({ status: 404, code: 'RECORD_NOT_FOUND' })
    }
    expect(await others()).toEqual(before)
  })

  it('cannot be written to: not by an insert, not by a change of owner', async () => {
    const before = await tracker.dump()
    for (const answer of [
      await tracker.send('POST', '/tasks', { ...aTask, ownerId: 2 }, asAda),
      await tracker.send('POST', '/tasks', [aTask, { ...aTask, ownerId: 2 }], asAda),
      await tracker.send('PATCH', '/tasks?id=1', { ownerId: 2 }, asAda),
      await tracker.send('PUT', '/tasks?id=1', { ...aTask, ownerId: 2 }, asAda),
    ]) {
      expect(answer.json()).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await tracker.dump()).toEqual(before)
  })

  it('stays out of reach of every request', async () => {
    const before = await others()
    const text = fc.oneof(
      fc.constantFrom(
        '1',
        '2',
        '3',
        '4',
        'open',
        'true',
        'null',
        '-id',
        'ownerId',
        'title',
        'owner',
        "' OR 1=1 --",
        'W1szXQ',
      ),
      fc.string({ maxLength: 8 }),
    )
    const names =
      'id ownerId title state version ownerId[ne] ownerId[in] ownerId[gte] ownerId[null] id[nin] ' +
      '$sort $limit $offset $select $with $count $after $or $not scope __proto__'
    const name = fc.constantFrom(...names.split(' '))
    const query = fc.array(fc.tuple(name, text), { maxLength: 4 })
    const body = fc.oneof(
      fc.record(
        { id: fc.constantFrom(1, 3, 4), ownerId: fc.constantFrom(1, 2), title: fc.string() },
        { requiredKeys: [] },
      ),
      fc.constantFrom({ ...aTask, id: 3 }, { ...aTask, id: 3, ownerId: 2 }, { $or: [{}] }, [{ ...aTask, ownerId: 2 }]),
    )
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
    const path = fc.constantFrom('/tasks/', '/tasks/one', '/tasks/query', '/tasks/3', '/tasks/one/3')
    await fc.assert(
      fc.asyncProperty(method, path, query, body, async (verb, route, parameters, payload) => {
        const url = `${route}?${new URLSearchParams(parameters).toString()}`
        const answer = await tracker.app.inject({
          method: verb as 'GET',
          url,
          headers: asAda,
          ...(verb.startsWith('P') && { payload: payload as object }),
        })
        expect(answer.statusCode, answer.body).toBeLessThan(500)
        if (answer.statusCode === 200) {
          const records = [answer.json()].flat() as Task[]
          for (const record of records) expect([1, 2].includes(record.id) || record.id > 4).toBe(true)
        }
        expect(await others()).toEqual(before)
      }),
      { numRuns: heavy(3000) },
    )
  })
})

it('fails closed when the scope says nothing', async () => {
  await using broken = await openTracker({ scope: () => undefined as never })
  await broken.db.table(Task).insertOne(aTask)
  for (const answer of [
    await broken.get('/tasks/query'),
    await broken.get('/tasks/one/1'),
    await broken.send('DELETE', '/tasks/1'),
    await broken.send('PATCH', '/tasks?id=1', { title: 'x' }),
  ]) {
    expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
  }
  expect(await broken.db.table(Task).findById(1)).toMatchObject({ title: 'Write' })
})
