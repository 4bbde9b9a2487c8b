import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, defineRoute, HttpError, reply, tableController } from '@portico/http'
import { createTableClient, ProblemError } from '@portico/http/client'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { aTask, openTracker, type Tracker } from './support.ts'
import { Person, Task, TaskTag } from './tracker.portico.ts'

let tracker: Tracker
let url: string
beforeEach(async () => {
  tracker = await openTracker()
  url = await tracker.app.listen()
})
afterEach(() => tracker[Symbol.asyncDispose]())

const problem = (code: string, status: number) => expect.objectContaining({ name: 'ProblemError', code, status })

describe('a table client', () => {
  it('does all that the table does, with its types', async () => {
    const tasks = createTableClient(Task, { url: `${url}/tasks` })
    const stored = await tasks.insertOne(aTask)
    expectTypeOf(stored).toEqualTypeOf<Task>()
    expect(await tasks.insertMany([{ ...aTask, title: 'Two', estimate: 2 }])).toMatchObject([{ id: 2 }])
    expect(await tasks.getOne(1)).toEqual(stored)
    expect(await tasks.getOne({ id: 1 })).toEqual(stored)
    expect(await tasks.getOne(99)).toBeUndefined()
    const part = await tasks.getOne(1, { select: ['title'] })
    expectTypeOf(part).toEqualTypeOf<Pick<Task, 'title'> | undefined>()
    expect(part).toEqual({ id: 1, title: stored.title })
    expect(await tasks.getOne(1, { select: [], with: [] })).toEqual(stored)
    await expect(tasks.getOne(1, { with: ['nope' as never] })).rejects.toEqual(problem('VALIDATION_FAILED', 400))
    expect(await tasks.updateOne({ id: 1, title: 'New', place: { city: 'Bern' } })).toMatchObject({
      title: 'New',
      version: 2,
    })
    expect(await tasks.replaceOne({ id: 1, ...aTask }, { ifMatch: 2 })).not.toHaveProperty('place')
    await expect(tasks.updateOne({ id: 1, title: 'Late' }, { ifMatch: 2 })).rejects.toEqual(
      problem('PRECONDITION_FAILED', 412),
    )
    await expect(tasks.deleteOne(1, { ifMatch: '"2"' })).rejects.toEqual(problem('PRECONDITION_FAILED', 412))
    await tasks.deleteOne(1)
    await expect(tasks.deleteOne(1)).rejects.toEqual(problem('RECORD_NOT_FOUND', 404))
  })

  it('finds with every operator', async () => {
    const tasks = createTableClient(Task, { url: `${url}/tasks/` })
    await tasks.insertMany(
      [0, 1, 2, 3].map((estimate) => ({ ...aTask, estimate, ...(estimate > 1 && { place: { city: 'Bern & Co' } }) })),
    )
    const ids = async (where: Parameters<typeof tasks.findMany>[0] & object) =>
      (await tasks.findMany(where)).map((it) => it.id)
    expect(await ids({ where: { estimate: { $gte: 1, $lt: 3 } } })).toEqual([2, 3])
    expect(await ids({ where: { estimate: { $in: [0, 3] }, state: 'open' } })).toEqual([1, 4])
    expect(await ids({ where: { estimate: { $in: [] } } })).toEqual([])
    expect(await ids({ where: { 'place.city': 'Bern & Co' } })).toEqual([3, 4])
    expect(await ids({ where: { 'place.city': null } })).toEqual([1, 2])
    expect(await ids({ where: { 'place.city': { $eq: null as never } } })).toEqual([1, 2])
    expect(await ids({ where: { 'place.city': { $ne: null as never } } })).toEqual([3, 4])
    expect(await ids({ where: { 'place.city': { $null: true } } })).toEqual([1, 2])
    expect(await ids({ where: { estimate: { $nin: [] } } })).toEqual([1, 2, 3, 4])
    expect(await ids({ where: { 'place.city': { $null: false } }, orderBy: { estimate: 'desc' } })).toEqual([4, 3])
    expect(await ids({ where: { title: { $like: 'W%' } }, limit: 1, offset: 1 })).toEqual([2])
    // @ts-expect-error: an unknown field does not compile
    await expect(tasks.findMany({ where: { nope: 1 } })).rejects.toEqual(problem('VALIDATION_FAILED', 400))
  })

  it('selects and reads related records, typed', async () => {
    const tasks = createTableClient(Task, { url: `${url}/tasks` })
    await tasks.insertOne(aTask)
    const [found] = await tasks.findMany({ select: ['title'], with: ['owner'] })
    expect(found).toMatchObject({ title: 'Write', owner: { email: 'ada@example.com' } })
    expectTypeOf(found!.title).toEqualTypeOf<string>()
    // @ts-expect-error: what was not selected is not there
    expect(found.state).toBeUndefined()
    const people = createTableClient(Person, { url: `${url}/people` })
    const [ada] = await people.findMany({ where: { id: 1 }, with: ['tasks'] })
    expectTypeOf(ada!.tasks).toEqualTypeOf<Task[]>()
    expect(ada!.tasks).toHaveLength(1)
  })

  it('pages until there is no next page', async () => {
    const tasks = createTableClient(Task, { url: `${url}/tasks` })
    await tasks.insertMany(Array.from({ length: 7 }, () => aTask))
    let page = await tasks.findPage({ limit: 3, count: true })
    expect(page.total).toBe(7)
    const seen = [...page.records]
    while (page.next) {
      page = await page.next()
      seen.push(...page.records)
    }
    expect(seen.map((it) => it.id)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('passes a composite key', async () => {
    const tags = createTableClient(TaskTag, { url: `${url}/task-tags` })
    await createTableClient(Task, { url: `${url}/tasks` }).insertOne(aTask)
    const key = { taskId: 1, tag: 'ä & / ?' }
    await tags.insertOne(key)
    expect(await tags.getOne(key)).toEqual(key)
    await tags.deleteOne(key)
    await expect(tags.getOne({ taskId: 1 } as never)).rejects.toEqual(problem('KEY_INCOMPLETE', 0))
    await expect(tags.getOne({ ...key, weight: 1 } as never)).rejects.toEqual(problem('VALIDATION_FAILED', 400))
  })

  it('reports problems with their codes and issues', async () => {
    const tasks = createTableClient(Task, { url: `${url}/tasks` })
    const error = await tasks.insertOne({ ...aTask, title: 1 as never }).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, issues: [{ path: ['title'], code: 'type' }] })
    const nowhere = createTableClient(Task, { url: 'http://127.0.0.1:1/tasks' })
    await expect(nowhere.findMany()).rejects.toEqual(problem('NETWORK', 0))
  })

  it('rejects a response that another server sent', async () => {
    const html = () => reply('<html>', { headers: { 'content-type': 'text/html' } })
    const other = createApp().register(
      defineRoute({ method: 'GET', path: '/tasks/query', handler: html }),
      defineRoute({ method: 'DELETE', path: '/tasks', handler: () => reply('gone', { status: 502 }) }),
      defineRoute({ method: 'GET', path: '/tasks/one', handler: () => ({ ok: true }) }),
    )
    const tasks = createTableClient(Task, { url: `${await other.listen()}/tasks` })
    await expect(tasks.findMany()).rejects.toEqual(problem('ANSWER_INVALID', 200))
    await expect(tasks.deleteOne(1)).rejects.toEqual(problem('ANSWER_INVALID', 502))
    await other.close()
  })

  it('sends the token, a fixed one or one from a function', async () => {
    const guard = ({ headers }: { headers: { authorization?: string | undefined } }) => {
      if (headers.authorization !== 'Bearer sesame') throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
    }
    const guarded = createApp().register(tableController(Task, { db: tracker.db, guard }))
    const address = `${await guarded.listen()}/tasks`
    await expect(createTableClient(Task, { url: address }).findMany()).rejects.toEqual(problem('UNAUTHENTICATED', 401))
    expect(await createTableClient(Task, { url: address, token: 'sesame' }).findMany()).toEqual([])
    expect(await createTableClient(Task, { url: address, token: async () => 'sesame' }).findMany()).toEqual([])
    await guarded.close()
  })

  describe('with invalid arguments', () => {
    const asked: string[] = []
    const remember = async (address: string, { method }: RequestInit) => {
      asked.push(`${method} ${address}`)
      return Response.json([])
    }
    const tasks = createTableClient(Task, { url: '/tasks', fetch: remember })
    const tags = createTableClient(TaskTag, {
      url: '/task-tags',
      fetch: async () => Promise.reject(new Error('asked')),
    })
    beforeEach(() => void asked.splice(0))

    it.each([
      { ownerId: undefined },
      { ownerId: { $eq: undefined } },
      { estimate: { $gte: undefined } },
      { estimate: { $in: [1, undefined] } },
      { estimate: { $in: [1, null] } },
      { estimate: { $gt: null } },
      { estimate: {} },
      { estimate: { $in: [], $gt: undefined } },
      { title: new Date(0) },
      { title: { $eq: { $gt: '' } } },
      { title: { $eq: [] } },
      { title: { $ne: [] } },
      { estimate: { $gte: [1] } },
      { title: { $like: [] } },
      { place: { city: 'Bern' } },
      { estimate: { gte: 1 } },
    ])('refuses the condition %j before it asks', async (where) => {
      await expect(tasks.findMany({ where: where as never })).rejects.toEqual(problem('REQUEST_INVALID', 0))
      expect(asked).toEqual([])
    })

    it.each([undefined, null, {}, { id: undefined }, { id: null }])(
      'refuses the key %j before it asks',
      async (key) => {
        await expect(tasks.deleteOne(key as never)).rejects.toEqual(problem('KEY_INCOMPLETE', 0))
        await expect(tasks.getOne(key as never)).rejects.toEqual(problem('KEY_INCOMPLETE', 0))
        expect(asked).toEqual([])
      },
    )

    it.each([1, 'x', undefined, null, { taskId: 1 }, { taskId: 1, tag: undefined }])(
      'refuses the composite key %j before it asks',
      async (key) => {
        await expect(tags.deleteOne(key as never)).rejects.toEqual(problem('KEY_INCOMPLETE', 0))
      },
    )

    it('refuses a condition as a key, an invalid order and a record that cannot be JSON', async () => {
      await expect(tasks.deleteOne({ id: { $gt: 0 } } as never)).rejects.toEqual(problem('REQUEST_INVALID', 0))
      const wrongOrder = { title: undefined } as never
      await expect(tasks.findMany({ orderBy: wrongOrder })).rejects.toEqual(problem('REQUEST_INVALID', 0))
      await expect(tasks.insertOne({ ...aTask, estimate: 1n as never })).rejects.toEqual(problem('REQUEST_INVALID', 0))
      expect(asked).toEqual([])
    })

    it.each([[null], ['x'], [[]], [[{ id: 1 }]], [0], [false]])(
      'refuses %j in place of conditions or an order',
      async (it) => {
        for (const query of [{ where: it }, { orderBy: it }]) {
          await expect(tasks.findMany(query as never)).rejects.toEqual(problem('REQUEST_INVALID', 0))
          await expect(tasks.findPage(query as never)).rejects.toEqual(problem('REQUEST_INVALID', 0))
        }
        expect(asked).toEqual([])
      },
    )

    it.each([
      ['a promise', Promise.resolve({ title: 'x' })],
      ['a map', new Map([['title', 'x']])],
      [
        'an instance with a getter',
        new (class {
          get title() {
            return 'x'
          }
        })(),
      ],
    ])('refuses %s in place of conditions, an order or a whole query', async (_, value) => {
      for (const query of [{ where: value }, { orderBy: value }, value]) {
        await expect(tasks.findMany(query as never)).rejects.toEqual(problem('REQUEST_INVALID', 0))
      }
      expect(asked).toEqual([])
    })

    it.each([null, '', 7, () => null, async () => '', () => ({})])('refuses the token %s', async (token) => {
      const client = createTableClient(Task, { url, fetch: remember, token: token as never })
      await expect(client.findMany()).rejects.toEqual(problem('TOKEN_UNAVAILABLE', 0))
      await expect(client.insertOne(aTask)).rejects.toThrow(/^`token` is .*: leave it out, or pass a token$/)
      expect(asked).toEqual([])
    })

    it('refuses a token that is undefined, and sends none where a function has none', async () => {
      const without = createTableClient(Task, { url, fetch: remember, token: undefined as never })
      await expect(without.findMany()).rejects.toThrow('`token` is undefined')
      expect(asked).toEqual([])
      await createTableClient(Task, { url: `${url}/tasks`, token: () => undefined }).findMany()
    })

    it.each([undefined, null])('refuses to write with the version %j instead of ignoring it', async (version) => {
      const options = { ifMatch: version } as never
      await expect(tasks.updateOne({ id: 1 }, options)).rejects.toEqual(problem('REQUEST_INVALID', 0))
      await expect(tasks.replaceOne({ ...aTask, id: 1 }, options)).rejects.toEqual(problem('REQUEST_INVALID', 0))
      await expect(tasks.deleteOne(1, options)).rejects.toEqual(problem('REQUEST_INVALID', 0))
      expect(asked).toEqual([])
    })

    it('treats an empty option like one that is left out', async () => {
      await tasks.findMany({ where: {}, select: [], orderBy: {}, with: [] })
      expect(asked).toEqual(['GET /tasks/query?'])
    })
  })

  it('reports a token function and a fetch that throw, with the cause', async () => {
    const cause = new Error('no')
    const fails = () => {
      throw cause
    }
    for (const token of [fails, async () => fails()]) {
      const error = await createTableClient(Task, { url, token })
        .findMany()
        .catch((it: unknown) => it)
      expect(error).toMatchObject({ name: 'ProblemError', code: 'TOKEN_UNAVAILABLE', status: 0, cause })
    }
    for (const fetch of [fails, async () => fails()]) {
      const error = await createTableClient(Task, { url, fetch })
        .findMany()
        .catch((it: unknown) => it)
      expect(error).toMatchObject({ name: 'ProblemError', code: 'NETWORK', status: 0, cause })
    }
  })

  it('uses the fetch that it is given', async () => {
    const asked: string[] = []
    const tasks = createTableClient(Task, {
      url: '/tasks',
      fetch: async (address) => {
        asked.push(address)
        return Response.json([])
      },
    })
    await tasks.findMany({ where: { urgent: true } })
    expect(asked).toEqual(['/tasks/query?urgent=true'])
  })
})

describe.skipIf(!chromium)('in a browser', () => {
  it('is bundled without a line of the server, and works', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-client-'))
    const browser = await launchChromium()
    try {
      const entry = join(folder, 'entry.ts')
      const schema = join(root, 'packages/http/test/tracker.portico.ts')
      await writeFile(
        entry,
        `import { createTableClient, ProblemError } from '@portico/http/client'
         import { Task } from ${JSON.stringify(schema)}
         const tasks = createTableClient(Task, { url: '/tasks' })
         const stored = await tasks.insertOne({ title: 'From a browser', state: 'open', urgent: true, labels: [], ownerId: 1 })
         const found = await tasks.findMany({ where: { urgent: true } })
         const refused = await tasks.insertOne({ title: 'An orphan', state: 'open', urgent: true, labels: [], ownerId: 99 }).catch((error) => error instanceof ProblemError && error.code)
         document.title = JSON.stringify([stored.title, found.length, refused])`,
      )
      const bundle = await rolldown({
        input: entry,
        platform: 'browser',
        resolve: { modules: [join(root, 'node_modules')] },
      })
      const { output } = await bundle.generate({ format: 'esm' })
      const { code } = output[0]
      expect(code).not.toMatch(/fastify|node:|reflect-metadata/)
      expect(code.length).toBeLessThan(60_000)
      const site = createApp().register(
        tableController(Task, { db: tracker.db, route: '/tasks' }),
        defineRoute({
          method: 'GET',
          path: '/',
          handler: () =>
            reply('<!doctype html><script type="module" src="/app.js"></script>', {
              headers: { 'content-type': 'text/html' },
            }),
        }),
        defineRoute({
          method: 'GET',
          path: '/app.js',
          handler: () => reply(code, { headers: { 'content-type': 'text/javascript' } }),
        }),
      )
      const page = await browser.newPage()
      await page.goto(await site.listen())
      await page.waitForFunction('document.title !== ""')
      expect(JSON.parse(await page.title())).toEqual(['From a browser', 1, 'FOREIGN_KEY_VIOLATION'])
      await page.close()
      await site.close()
    } finally {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
