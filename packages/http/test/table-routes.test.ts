import { createApp, HttpError, tableController } from '@portico/http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aTask, onEveryEngine, openTracker, type Tracker } from './support.ts'
import { Person, Task, TaskTag } from './tracker.portico.ts'

onEveryEngine((open) => {
  let tracker: Tracker
  beforeEach(async () => {
    tracker = await openTracker({}, open)
  })
  afterEach(() => tracker[Symbol.asyncDispose]())

  async function addTasks(count: number): Promise<void> {
    const tasks = Array.from({ length: count }, (_, index) => ({
      ...aTask,
      title: `Task ${String(index + 1).padStart(2, '0')}`,
      state: index % 2 === 0 ? ('open' as const) : ('done' as const),
      estimate: index,
      ...(index % 3 === 0 && { place: { city: index === 0 ? 'Bern' : 'Basel' } }),
    }))
    await tracker.db.table(Task).insertMany(tasks)
  }

  describe('a method at the wrong address of the table', () => {
    it.each([
      [
        'GET',
        '/tasks',
        'this path supports POST, PUT, PATCH, DELETE; for GET use /tasks/one, /tasks/one/:id, /tasks/query',
      ],
      ['GET', '/tasks/5', 'this path supports DELETE; for GET use /tasks/one, /tasks/one/:id, /tasks/query'],
      ['PATCH', '/tasks/5', 'this path supports DELETE; for PATCH use /tasks'],
      ['OPTIONS', '/tasks/5', 'this path supports DELETE'],
    ] as const)('%s %s is 405 and says where it belongs', async (method, url, detail) => {
      const answer = await tracker.app.inject({ method, url })
      expect(answer.json()).toMatchObject({ status: 405, detail })
    })

    it('does not name routes that a guard keeps from the caller', async () => {
      const guard = { read: () => false, default: () => undefined }
      const app = createApp().register(tableController(Task, { db: tracker.db, guard }))
      const answer = await app.inject({ method: 'GET', url: '/tasks' })
      expect(answer.json()).toMatchObject({ status: 405, detail: 'this path supports POST, PUT, PATCH, DELETE' })
      await app.close()
    })
  })

  describe('insert', () => {
    it('stores a record and answers 201 with it, its address and its tag', async () => {
      const answer = await tracker.send('POST', '/tasks', aTask)
      expect(answer.statusCode).toBe(201)
      expect(answer.json()).toMatchObject({ id: 1, title: 'Write', version: 1 })
      expect(answer.headers).toMatchObject({ location: '/tasks/one?id=1', etag: '"1"' })
      expect((await tracker.get(answer.headers.location!)).json()).toEqual(answer.json())
    })

    it('stores an array completely or not at all', async () => {
      const stored = await tracker.send('POST', '/tasks/', [aTask, { ...aTask, title: 'Two' }])
      expect(stored.statusCode).toBe(201)
      expect(stored.json()).toMatchObject([{ id: 1 }, { id: 2 }])
      const before = await tracker.dump()
      const refused = await tracker.send('POST', '/tasks/', [aTask, { ...aTask, title: 3 }])
      expect(refused.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', issues: [{ path: [1, 'title'] }] })
      expect(await tracker.dump()).toEqual(before)
    })

    it('describes errors in terms of the request, without the name of the table', async () => {
      const { detail } = (await tracker.send('POST', '/tasks', { ...aTask, title: 3 })).json()
      expect(detail).toMatch(/^the input is not valid: `title` /)
    })

    it('never coerces JSON', async () => {
      for (const wrong of [{ ownerId: '1' }, { urgent: 'true' }, { cost: 1.5 }, { title: 1 }, { labels: 'a' }]) {
        const answer = await tracker.send('POST', '/tasks', { ...aTask, ...wrong })
        expect(answer.json(), JSON.stringify(wrong)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      }
      expect(await tracker.db.table(Task).count()).toBe(0)
    })

    it('answers conflicts with 409 and names the fields', async () => {
      const twice = await tracker.send('POST', '/people', { email: 'ada@example.com', password: 'x' })
      expect(twice.json()).toMatchObject({ status: 409, code: 'UNIQUE_VIOLATION', issues: [{ path: ['email'] }] })
      const orphan = await tracker.send('POST', '/tasks', { ...aTask, ownerId: 99 })
      expect(orphan.json()).toMatchObject({ status: 409, code: 'FOREIGN_KEY_VIOLATION' })
    })

    it('accepts at most `maxInsert` records', async () => {
      const many = Array.from({ length: 1001 }, () => aTask)
      expect((await tracker.send('POST', '/tasks', many)).json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      })
      expect(await tracker.db.table(Task).count()).toBe(0)
    })
  })

  describe('getOne', () => {
    beforeEach(() => addTasks(2))

    it.each(['/tasks/one?id=2', '/tasks/one/?id=2', '/tasks/one/2', '/tasks/one/2/'])('%s', async (url) => {
      const answer = await tracker.get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ id: 2, title: 'Task 02' })
    })

    it('answers 404 when there is none', async () => {
      for (const url of ['/tasks/one?id=99', '/tasks/one/99']) {
        expect((await tracker.get(url)).json()).toMatchObject({ status: 404, code: 'RECORD_NOT_FOUND' })
      }
    })

    it('answers only what is selected, with the key, and related records', async () => {
      expect((await tracker.get('/tasks/one/1?$select=title')).json()).toEqual({ id: 1, title: 'Task 01' })
      const answer = await tracker.get('/tasks/one/1?$with=owner')
      expect(answer.json()).toMatchObject({ title: 'Task 01', owner: { id: 1, email: 'ada@example.com' } })
      expect(answer.headers.etag).toBeUndefined()
    })

    it('answers 304 to a tag that is known', async () => {
      const { headers } = await tracker.get('/tasks/one/1')
      const again = await tracker.get('/tasks/one/1', { 'if-none-match': headers.etag! })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    })
  })

  describe('a composite key', () => {
    beforeEach(async () => {
      await addTasks(2)
      await tracker.db.table(TaskTag).insertMany([
        { taskId: 1, tag: 'a&b=c', weight: 1 },
        { taskId: 1, tag: 'x' },
        { taskId: 2, tag: 'x' },
      ])
    })

    it('is passed as query parameters', async () => {
      const query = new URLSearchParams({ taskId: '1', tag: 'a&b=c' }).toString()
      expect((await tracker.get(`/task-tags/one?${query}`)).json()).toEqual({ taskId: 1, tag: 'a&b=c', weight: 1 })
      expect((await tracker.send('PATCH', `/task-tags/?${query}`, { weight: 5 })).json()).toMatchObject({ weight: 5 })
      expect((await tracker.send('PUT', `/task-tags?${query}`, {})).json()).toEqual({ taskId: 1, tag: 'a&b=c' })
      expect((await tracker.send('DELETE', `/task-tags/?${query}`)).statusCode).toBe(204)
      expect(await tracker.db.table(TaskTag).count()).toBe(2)
    })

    it.each([
      ['GET', '/task-tags/one?taskId=1', 'tag'],
      ['GET', '/task-tags/one?tag=x', 'taskId'],
      ['DELETE', '/task-tags/?taskId=1', 'tag'],
      ['PUT', '/task-tags/?taskId=1', 'tag'],
      ['PATCH', '/task-tags/?tag=x', 'taskId'],
    ] as const)('%s %s is 400 and names what is missing', async (method, url, missing) => {
      const before = await tracker.dump()
      const answer = await tracker.app.inject({
        method,
        url,
        ...(method.startsWith('P') && { payload: { weight: 1 } }),
      })
      expect(answer.json()).toMatchObject({ status: 400, code: 'KEY_INCOMPLETE', issues: [{ path: [missing] }] })
      expect(answer.json().detail).toContain(`\`${missing}\``)
      expect(await tracker.dump()).toEqual(before)
    })

    it('is a filter on findMany when it is partial', async () => {
      expect((await tracker.get('/task-tags/query?tag=x')).json()).toHaveLength(2)
      expect((await tracker.get('/task-tags/query?taskId=1')).json()).toHaveLength(2)
    })

    it('has no route with the key in the path', async () => {
      expect((await tracker.get('/task-tags/one/1')).json()).toMatchObject({ code: 'NOT_FOUND' })
      expect((await tracker.send('DELETE', '/task-tags/1')).json()).toMatchObject({ code: 'NOT_FOUND' })
    })
  })

  describe('findMany', () => {
    beforeEach(() => addTasks(12))

    it.each([
      ['state=done', 6],
      ['state[ne]=done', 6],
      ['estimate[gte]=3&estimate[lt]=6', 3],
      ['estimate[gt]=3&estimate[lte]=6', 3],
      ['estimate[in]=1&estimate[in]=2&estimate[in]=99', 2],
      ['estimate[nin]=1&estimate[nin]=2', 10],
      ['title[like]=Task 1_', 3],
      ['title[ilike]=tASK 0%25', 9],
      ['place.city=Basel', 3],
      ['place.city[null]=true', 8],
      ['place.city[null]=false', 4],
      ['estimate[eq]=1.0', 1],
      ['urgent=false&state=open&estimate=0', 1],
      ['', 12],
    ])('?%s finds %i', async (query, count) => {
      expect((await tracker.get(`/tasks/query?${query}`)).json()).toHaveLength(count)
    })

    it.each([
      ['limit=3', '`limit` is not a known field; did you mean `$limit`?'],
      ['titel=x', '`titel` is not a known field'],
      ['$top=3', '`$top` is not a known control; known are $sort, $limit, '],
      ['$sort=', '`$sort` names no field'],
      ['$select=', '`$select` names no field'],
      ['labels=a', '`labels` is stored as JSON; the only operator it supports is [null]'],
      ['labels[like]=a', '`labels[like]` is stored as JSON; the only operator it supports is [null]'],
    ])('?%s is refused with a hint', async (query, detail) => {
      const answer = await tracker.get(`/tasks/query?${query}`)
      expect(answer.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(answer.json().detail).toMatch(new RegExp(`${detail.replaceAll(/[$[\]?]/g, '\\$&')}`))
    })

    it('sorts by several fields, and by the key at the end', async () => {
      const sorted = await tracker.get('/tasks/query?$sort=-state,title&$select=id')
      expect(sorted.json().map((it: Task) => it.id)).toEqual([1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12])
      const byState = await tracker.get('/tasks/query?$sort=state&$select=id&$limit=3&$offset=5')
      expect(byState.json().map((it: Task) => it.id)).toEqual([12, 1, 3])
    })

    it('counts all matching records, whatever the page', async () => {
      const answer = await tracker.get('/tasks/query?state=open&$limit=2&$count=true')
      expect([answer.json().length, answer.headers['x-total-count']]).toEqual([2, '6'])
      expect((await tracker.get('/tasks/query?$limit=0&$count=true')).headers['x-total-count']).toBe('12')
    })

    it.each(['state[in]=open&state[in]=done&$limit=5', '$sort=-estimate&$limit=5'])(
      'pages through ?%s by its Link header, each record once',
      async (query) => {
        const seen: number[] = []
        for (let url: string | undefined = `/tasks/query?${query}`; url; ) {
          const answer = await tracker.get(url)
          seen.push(...answer.json().map((it: Task) => it.id))
          const [, next] = String(answer.headers['link'] ?? '').match(/^<(\?.*)>; rel="next"$/) ?? []
          url = next && new URL(next, 'http://x/tasks/query').href.slice('http://x'.length)
        }
        expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      },
    )

    it('pages a composite key by its cursor', async () => {
      const tags = [1, 2, 3].flatMap((taskId) => ['a', 'b', 'c'].map((tag) => ({ taskId, tag })))
      await tracker.db.table(TaskTag).insertMany(tags)
      const seen: unknown[] = []
      for (let url: string | undefined = '/task-tags/query?$limit=2'; url; ) {
        const answer = await tracker.get(url)
        seen.push(...answer.json())
        const [, next] = String(answer.headers['link'] ?? '').match(/^<(\?.*)>; rel="next"$/) ?? []
        url = next && `/task-tags/query${next}`
      }
      expect(seen).toEqual(tags)
    })

    it('caps the limit', async () => {
      const app = createApp().register(tableController(Task, { db: tracker.db, defaultLimit: 3, maxLimit: 5 }))
      expect((await app.inject('/tasks/query')).json()).toHaveLength(3)
      expect((await app.inject('/tasks/query?$limit=5000')).json()).toHaveLength(5)
      await app.close()
    })
  })

  describe('replace and update', () => {
    beforeEach(() => addTasks(1))

    it('take the key from the body, the query, or both when they agree', async () => {
      expect((await tracker.send('PATCH', '/tasks', { id: 1, title: 'A' })).json()).toMatchObject({ id: 1, title: 'A' })
      expect((await tracker.send('PATCH', '/tasks?id=1', { title: 'B' })).json()).toMatchObject({ title: 'B' })
      expect((await tracker.send('PATCH', '/tasks/?id=1', { id: 1, title: 'C' })).json()).toMatchObject({ title: 'C' })
      const differing = await tracker.send('PATCH', '/tasks?id=1', { id: 2, title: 'D' })
      expect(differing.json()).toMatchObject({ status: 400, issues: [{ path: ['id'] }] })
      expect(await tracker.db.table(Task).findById(1)).toMatchObject({ title: 'C' })
    })

    it('answer 404 when there is no such record', async () => {
      expect((await tracker.send('PATCH', '/tasks?id=9', { title: 'A' })).statusCode).toBe(404)
      expect((await tracker.send('PUT', '/tasks?id=9', aTask)).statusCode).toBe(404)
    })

    it('replace clears what is left out, update keeps it', async () => {
      expect((await tracker.send('PATCH', '/tasks?id=1', { urgent: true })).json()).toMatchObject({
        estimate: 0,
        urgent: true,
      })
      expect((await tracker.send('PUT', '/tasks?id=1', aTask)).json()).not.toHaveProperty('estimate')
      const lacking = await tracker.send('PUT', '/tasks?id=1', { title: 'only' })
      expect(lacking.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    })

    it('raise the version, and refuse another one: 409 for the field, 412 for If-Match', async () => {
      const first = await tracker.send('PATCH', '/tasks?id=1', { title: 'A' }, { 'if-match': '"1"' })
      expect([first.statusCode, first.headers.etag]).toEqual([200, '"2"'])
      const before = await tracker.dump()
      for (const method of ['PATCH', 'PUT'] as const) {
        const stale = await tracker.send(method, '/tasks?id=1', { ...aTask, title: 'B' }, { 'if-match': '"1"' })
        expect(stale.json()).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' })
        const conflict = await tracker.send(method, '/tasks?id=1', { ...aTask, version: 1 })
        expect(conflict.json()).toMatchObject({ status: 409, code: 'VERSION_CONFLICT' })
      }
      expect((await tracker.send('DELETE', '/tasks/1', undefined, { 'if-match': '"1"' })).statusCode).toBe(412)
      expect(await tracker.dump()).toEqual(before)
      expect((await tracker.send('PUT', '/tasks?id=1', aTask, { 'if-match': '"7", "2"' })).headers.etag).toBe('"3"')
      expect((await tracker.send('PATCH', '/tasks?id=1', { title: 'C' }, { 'if-match': '*' })).headers.etag).toBe('"4"')
      expect((await tracker.send('PATCH', '/tasks?id=1', { title: 'D' }, { 'if-match': 'W/"4"' })).statusCode).toBe(412)
      expect((await tracker.send('PATCH', '/tasks?id=9', { title: 'D' }, { 'if-match': '"4"' })).statusCode).toBe(404)
    })

    it('refuse If-Match on a table without versions', async () => {
      const answer = await tracker.send('PATCH', '/people?id=1', { password: 'x' }, { 'if-match': '"1"' })
      expect(answer.json()).toMatchObject({ status: 412 })
    })
  })

  describe('delete', () => {
    it.each(['/tasks/?id=1', '/tasks?id=1', '/tasks/1', '/tasks/1/'])('%s', async (url) => {
      await addTasks(2)
      expect((await tracker.send('DELETE', url)).statusCode).toBe(204)
      expect(await tracker.db.table(Task).findMany()).toMatchObject([{ id: 2 }])
      expect((await tracker.send('DELETE', url)).statusCode).toBe(404)
    })
  })

  describe('write-only fields', () => {
    const note = { text: 'seen', secret: 'hidden' }

    it('are stored and never answered, on their own table and on related ones', async () => {
      const person = await tracker.send('POST', '/people', { email: 'eve@example.com', password: 'apple' })
      const task = await tracker.send('POST', '/tasks', { ...aTask, ownerId: 3, note })
      const answers = [
        person,
        task,
        await tracker.get('/people/one/3?$with=tasks'),
        await tracker.get('/people/query?$with=tasks'),
        await tracker.get('/tasks/one/1?$with=owner'),
        await tracker.get('/tasks/query?$with=owner'),
        await tracker.send('PATCH', '/people?id=3', { password: 'pear' }),
        await tracker.send('PUT', '/people?id=3', { email: 'eve@example.com', password: 'apple' }),
      ]
      for (const answer of answers) {
        expect(answer.statusCode).toBeLessThan(300)
        expect(answer.body).not.toMatch(/apple|pear|password|hidden|secret/)
      }
      expect(task.json().note).toEqual({ text: 'seen' })
      expect(await tracker.db.table(Person).findById(3)).toMatchObject({ password: 'apple' })
      expect(await tracker.db.table(Task).findById(1)).toMatchObject({ note })
    })

    it.each(['password=engine', 'password[like]=e%25', '$sort=password', '$select=password'])(
      'refuses ?%s',
      async (query) => {
        const answer = await tracker.get(`/people/query?${query}`)
        expect(answer.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      },
    )
  })

  it('serves only the listed operations', async () => {
    const app = createApp().register(tableController(Task, { db: tracker.db, operations: ['getOne'] }))
    expect(app.routes.map((it) => `${it.method} ${it.path}`)).toEqual(['GET /tasks/one', 'GET /tasks/one/:id'])
    expect((await app.inject('/tasks/query')).statusCode).toBe(404)
    await app.close()
  })

  it('asks the guard before anything else', async () => {
    const guard = () => {
      throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first', { headers: { 'www-authenticate': 'Bearer' } })
    }
    const app = createApp().register(tableController(Task, { db: tracker.db, guard }))
    const before = await tracker.dump()
    for (const { method, path } of app.routes) {
      const answer = await app.inject({ method, url: path.replace(':id', '1'), payload: '{ not json' })
      expect(answer.json(), `${method} ${path}`).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      // Fastify answers HEAD wherever there is a GET.
      if (method === 'GET')
        expect((await app.inject({ method: 'HEAD', url: path.replace(':id', '1') })).statusCode).toBe(401)
    }
    expect(await tracker.dump()).toEqual(before)
    await app.close()
  })
})
