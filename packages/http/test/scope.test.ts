import { type Database, DbError, type Where } from '@portico/db'
import { HttpError, type HttpRequest } from '@portico/http'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { aTask, onEveryEngine, openTracker, type Tracker } from './support.ts'
import type { TaskInsert } from './tracker.portico.ts'
import { Task } from './tracker.portico.ts'

/** A MongoDB that stands alone has none. */
function hasTransactions(db: Database): Promise<boolean> {
  return db.transaction(async () => true).catch(() => false)
}

onEveryEngine((open) => {
  /** Everyone is confined to the tasks of the person that the header names. */
  let tracker: Tracker
  beforeEach(async () => {
    const scope = (request: HttpRequest) => ({ ownerId: Number(request.headers['x-person']) })
    tracker = await openTracker({ scope, accepts: ['id'] }, open)
    const tasks: TaskInsert[] = [1, 1, 2, 2].map((ownerId, index) => ({
      ...aTask,
      ownerId,
      title: `Task ${index + 1}`,
    }))
    await tracker.db.table(Task).insertMany(tasks)
  })
  afterEach(() => tracker[Symbol.asyncDispose]())

  const asAda = { 'x-person': '1' }

  /** The tasks of Grace. */
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
      const replaced = await tracker.send(
        'PUT',
        '/tasks?id=1',
        { ...aTask, title: 'B' },
        { ...asAda, 'if-match': '"2"' },
      )
      expect(replaced.json()).toMatchObject({ title: 'B', version: 3 })
      expect((await tracker.send('PUT', '/tasks?id=1', { ...aTask, version: 2 }, asAda)).statusCode).toBe(409)
      expect((await tracker.send('DELETE', '/tasks/1', undefined, { ...asAda, 'if-match': '"1"' })).statusCode).toBe(
        412,
      )
      expect((await tracker.send('DELETE', '/tasks/1', undefined, asAda)).statusCode).toBe(204)
    })

    it('may leave out fields that the scope sets', async () => {
      const { ownerId: _, ...unowned } = aTask
      expect((await tracker.send('POST', '/tasks', unowned, asAda)).json()).toMatchObject({ ownerId: 1 })
      expect((await tracker.send('POST', '/tasks', [unowned, aTask], asAda)).statusCode).toBe(201)
    })

    it('replaces as without a scope: fields that are left out are cleared, server-set fields stay', async () => {
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
    it('looks the same as a missing record', async () => {
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

    it.each([
      ['a value', (id: number) => ({ ownerId: id })],
      ['$eq', (id: number) => ({ ownerId: { $eq: id } })],
      ['$in', (id: number) => ({ ownerId: { $in: [id, 77] } })],
      ['$and', (id: number) => ({ $and: [{ ownerId: id }, { urgent: false }] })],
    ])('that the scope rules out by %s reveals nothing about other tables or keys', async (_, scopeFor) => {
      await using scoped = await openTracker({ scope: () => scopeFor(1), accepts: ['id'] }, open)
      await scoped.db.table(Task).insertMany([aTask, { ...aTask, ownerId: 2 }])
      const before = await scoped.dump()
      const written = (ownerId: number) => [
        scoped.send('POST', '/tasks', { ...aTask, ownerId }),
        scoped.send('POST', '/tasks', { ...aTask, ownerId, id: 2 }),
        scoped.send('POST', '/tasks', [aTask, { ...aTask, ownerId }]),
        scoped.send('PATCH', '/tasks?id=1', { ownerId }),
        scoped.send('PUT', '/tasks?id=1', { ...aTask, ownerId }),
      ]
      // Person 2 is there, person 99 is not; task 2 is there and somebody else's, task 99 is not.
      for (const answer of await Promise.all([...written(2), ...written(99)])) {
        expect(answer.json()).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      }
      expect(await scoped.dump()).toEqual(before)
    })

    it('by its key looks the same as a missing record', async () => {
      await using scoped = await openTracker({ scope: () => ({ id: { $in: [1, 2] } }), accepts: ['id'] }, open)
      await scoped.db.table(Task).insertMany([aTask, aTask, aTask])
      for (const id of [3, 99]) {
        for (const method of ['PATCH', 'PUT'] as const) {
          const answer = await scoped.send(method, `/tasks?id=${id}`, aTask)
          expect(answer.json()).toMatchObject({ status: 404, code: 'RECORD_NOT_FOUND' })
        }
        expect((await scoped.send('POST', '/tasks', { ...aTask, id })).json()).toMatchObject({ status: 403 })
      }
    })

    it.each<[string, Where<Task>]>([
      ['a range', { estimate: { $lt: 5 } }],
      ['two conditions on a field', { state: { $in: ['open', 'done'], $ne: 'done' } }],
      ['what must not be', { $not: { state: 'done' } }],
      ['a choice', { $or: [{ state: 'open' }, { urgent: true }] }],
      ['all of several', { $and: [{ ownerId: 1 }, { estimate: { $lt: 5 } }, { state: { $ne: 'done' } }] }],
      ['digits', { cost: '1.50', state: { $ne: 'done' }, estimate: { $ne: 9 } }],
    ])('is refused where only the database can judge: %s', async (_, scope) => {
      await using scoped = await openTracker({ scope: () => scope }, open)
      const task: TaskInsert = { ...aTask, estimate: 3, cost: '1.50' }
      await scoped.db.table(Task).insertOne(task)
      const before = await scoped.dump()
      const outside = { ...task, estimate: 9, state: 'done' }
      const canJudge = await hasTransactions(scoped.db)
      for (const answer of [
        await scoped.send('POST', '/tasks', outside),
        await scoped.send('POST', '/tasks', [task, outside]),
        await scoped.send('PATCH', '/tasks?id=1', { state: 'done', estimate: 9 }),
        await scoped.send('PUT', '/tasks?id=1', outside),
      ]) {
        expect(answer.json()).toMatchObject(canJudge ? { status: 403, code: 'FORBIDDEN' } : { status: 500 })
      }
      expect(await scoped.dump()).toEqual(before)
      // A field outside of the scope can always be changed.
      expect((await scoped.send('PATCH', '/tasks?id=1', { title: 'other' })).json()).toMatchObject({ title: 'other' })
      expect((await scoped.send('POST', '/tasks', task)).statusCode).toBe(canJudge ? 201 : 500)
    })

    it('shows where values have to be unique, as everywhere', async () => {
      const answer = await tracker.send('POST', '/tasks', { ...aTask, id: 3 }, asAda)
      expect(answer.json()).toMatchObject({ status: 409, code: 'UNIQUE_VIOLATION', issues: [{ path: ['id'] }] })
      expect(answer.body).not.toMatch(/Task 3|ownerId/)
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
        fc.constantFrom({ ...aTask, id: 3 }, { ...aTask, id: 3, ownerId: 2 }, { $or: [{}] }, [
          { ...aTask, ownerId: 2 },
        ]),
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

  describe('a scope that is wrong', () => {
    const thrown = new DbError('VALIDATION_FAILED', 'the query is not valid')
    const wrong: readonly (readonly [string, () => unknown])[] = [
      ['says nothing', () => undefined],
      ['says null', () => null],
      ['is a list', () => [{ ownerId: 1 }]],
      ['is a map', () => new Map([['ownerId', 1]])],
      ['is an instance', () => new (class {})()],
      [
        'is an instance of a class without a prototype',
        () => {
          class Bare {
            get ownerId() {
              return 1
            }
          }
          Object.setPrototypeOf(Bare.prototype, null)
          return new Bare()
        },
      ],
      ['has a promise inside', () => ({ $and: [Promise.resolve({ ownerId: 1 })] })],
      ['is text', () => 'ownerId = 1'],
      ['names an unknown field', () => ({ owner: 1 })],
      ['has an unknown operator', () => ({ ownerId: { $is: 1 } })],
      ['compares with undefined', () => ({ ownerId: undefined })],
      ['compares with another type', () => ({ ownerId: '1' })],
      ['throws', () => JSON.parse('{')],
      ['throws what the table layer blames on callers', () => Promise.reject(thrown)],
    ]

    it.each(wrong)('%s: every operation fails as the server’s, and nothing happens', async (_, scope) => {
      await using broken = await openTracker({ scope: scope as never }, open)
      await broken.db.table(Task).insertOne(aTask)
      const before = await broken.dump()
      for (const answer of [
        await broken.get('/tasks/query'),
        await broken.get('/tasks/query?$count=true&$limit=0'),
        await broken.get('/tasks/one/1'),
        await broken.send('POST', '/tasks', aTask),
        await broken.send('POST', '/tasks', [aTask]),
        await broken.send('PUT', '/tasks?id=1', aTask),
        await broken.send('PATCH', '/tasks?id=1', { title: 'x' }),
        await broken.send('PATCH', '/tasks?id=1', { title: 'x' }, { 'if-match': '"1"' }),
        await broken.send('DELETE', '/tasks/1'),
      ]) {
        expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
      }
      expect(await broken.dump()).toEqual(before)
    })

    it('may refuse the request, as a guard does', async () => {
      const refuse = () => {
        throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
      }
      await using refusing = await openTracker({ scope: refuse }, open)
      expect((await refusing.get('/tasks/query')).json()).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    })

    it('is not made the reason when the caller is', async () => {
      for (const answer of [
        await tracker.send('POST', '/tasks', { ...aTask, title: 1 }, asAda),
        await tracker.send('PATCH', '/tasks?id=1', { cost: '1.234' }, asAda),
        await tracker.send('PATCH', '/tasks?id=1', { ownerId: '2' }, asAda),
      ]) {
        expect(answer.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      }
    })
  })
})
