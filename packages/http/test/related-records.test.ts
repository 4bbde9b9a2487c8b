import { type Database, type Loaded, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, collectRoutes, createApp, Guard, HttpError, type HttpRequest, tableController } from '@portico/http'
import { createTableClient } from '@portico/http/client'
import type { AnyTable } from '@portico/schema/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Desk, Room, Seat, Worker } from './office.portico.ts'
import { onEveryEngine } from './support.ts'

type LoadedDesk = Partial<Loaded<typeof Desk, { owner: true; users: true }>>
type LoadedRoom = Partial<Loaded<typeof Room, { desks: true }>>

onEveryEngine((open) => {
  let db: Database
  const apps: App[] = []
  beforeEach(async () => {
    db = await open()
    await db.sync([Room, Worker, Desk, Seat])
    await db.table(Room).insertMany([1, 2].map((number) => ({ building: 'a', number })))
    await db.table(Worker).insertMany([
      { id: 1, name: 'Ada', company: 'x', badge: 'badge-1' },
      { id: 2, name: 'Bob', company: 'y', badge: 'badge-2' },
      { id: 3, name: 'Cid', company: 'x', badge: 'badge-3' },
    ])
    await db.table(Desk).insertMany([
      { id: 1, building: 'a', number: 1, ownerId: 1 },
      { id: 2, building: 'a', number: 1, ownerId: 2 },
      { id: 3, building: 'a', number: 2 },
    ])
    const seats = [
      [1, 1, true],
      [1, 2, true],
      [1, 3, false],
      [2, 2, true],
    ] as const
    await db.table(Seat).insertMany(seats.map(([deskId, workerId, open]) => ({ deskId, workerId, open })))
  })
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
    await db.close()
  })

  /** The routes of these tables, each with its options. */
  function serve(...tables: readonly (readonly [AnyTable, object?])[]): App {
    const app = createApp({ logger: { level: 'silent' } }).register(
      ...tables.map(([table, options]) => tableController(table, { db, ...(options as object) })),
    )
    apps.push(app)
    return app
  }

  async function read(app: App, url: string) {
    const answer = await app.inject(url)
    return answer.statusCode === 200 ? answer.json() : answer.json().code
  }

  const company = (request: HttpRequest) => ({ company: request.headers['x-company'] ?? 'x' })

  describe('by default, an offered relation', () => {
    it.each([
      ['a table that is served', [[Worker]], 'owner', true],
      ['a table that has no routes', [], 'owner', false],
      ['a table without reading', [[Worker, { operations: ['insert', 'update', 'delete'] }]], 'owner', false],
      ['one record of a table that is read by key', [[Worker, { operations: ['getOne'] }]], 'owner', true],
      ['one record of a table that is found', [[Worker, { operations: ['findMany'] }]], 'owner', true],
      ['through a junction, both served', [[Worker], [Seat]], 'users', true],
      ['through a junction that is not served', [[Worker]], 'users', false],
      ['through a junction to what is not served', [[Seat]], 'users', false],
      ['through a junction that is read by key', [[Worker], [Seat, { operations: ['getOne'] }]], 'users', false],
      ['a list of a table read by key', [[Worker, { operations: ['getOne'] }], [Seat]], 'users', false],
    ] as const)('can be of %s', async (_, others, name, isOffered) => {
      const app = serve([Desk], ...others)
      for (const path of ['/desks/one/1', '/desks/query']) {
        const answer = await app.inject(`${path}?$with=${name}`)
        expect(answer.statusCode).toBe(isOffered ? 200 : 400)
        if (isOffered) expect([answer.json()].flat()[0]).toHaveProperty(name)
        else expect(answer.json().detail).toContain(`\`${name}\` is not a relation that can be included here`)
      }
      const described = app.routes
        .flatMap((it) => it.inputs)
        .filter((it) => it.name === '$with' && it.metadata.description!.includes(name))
      expect(described.length > 0).toBe(isOffered)
    })

    it('does not depend on the order of registration, also in routes as data', async () => {
      const app = serve([Desk])
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
      const later = createApp().register(tableController(Desk, { db })).register(tableController(Worker, { db }))
      apps.push(later)
      expect(await read(later, '/desks/one/1?$with=owner')).toMatchObject({ owner: { id: 1 } })
      const describes = (it: { inputs: readonly { name?: string | undefined }[] }) =>
        it.inputs.some((input) => input.name === '$with')
      expect(later.routes.some(describes)).toBe(true)
      const alone = tableController(Desk, { db })
      expect(collectRoutes([alone, tableController(Worker, { db })]).some(describes)).toBe(true)
      expect(collectRoutes([alone]).some(describes)).toBe(false)
    })

    it('never joins on a write-only field, unless it is listed in `relations`', async () => {
      await db.table(Worker).updateOne({ id: 2, bossId: 1 })
      const app = serve([Worker])
      expect(await read(app, '/workers/query?$with=boss')).toBe('VALIDATION_FAILED')
      expect(await read(app, '/workers/query?$with=staff')).toBe('VALIDATION_FAILED')
      const named = serve([Worker, { relations: ['boss'] }])
      expect(await read(named, '/workers/one/2?$with=boss')).toMatchObject({ id: 2, boss: { id: 1 } })
    })

    it('never comes from a controller that could not be registered', async () => {
      const app = serve([Desk])
      await app.listen()
      expect(() => app.register(tableController(Worker, { db }))).toThrow()
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
      expect(app.routes.some((it) => it.path.startsWith('/workers'))).toBe(false)
    })

    it('never leads to a table of the same name in another schema', async () => {
      const app = serve([Desk], [{ ...Worker, schema: 'hr' } as AnyTable])
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
    })

    it('never leads to another database', async () => {
      const other = await openDatabase(sqlite({ file: ':memory:' }))
      await other.sync([Room, Worker, Desk, Seat])
      const app = serve([Desk], [Worker, { db: other }])
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
      await app.close()
      await other.close()
    })

    it('ignores routes that were copied and have other guards', async () => {
      const workers = tableController(Worker, { db })
      const guarded = { ...workers, routes: workers.routes.map((it) => ({ ...it, guards: [() => false] })) }
      const app = createApp().register(tableController(Desk, { db }), guarded)
      apps.push(app)
      expect(await read(app, '/workers/query')).toBe('FORBIDDEN')
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
    })

    it('never leads to another app', async () => {
      const desks = tableController(Desk, { db })
      const first = createApp().register(desks, tableController(Worker, { db }))
      const second = createApp().register(desks)
      apps.push(first, second)
      expect(await read(first, '/desks/one/1?$with=owner')).toMatchObject({ owner: { id: 1 } })
      expect(await read(second, '/desks/one/1?$with=owner')).toBe('VALIDATION_FAILED')
    })
  })

  describe('the rules of the included table apply', () => {
    const signedIn = ({ headers }: HttpRequest) => {
      if (headers.authorization !== 'Bearer ada') throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
    }

    it.each([
      ['of the table it leads to', [Worker, { guard: signedIn }], [Seat]],
      ['of the junction', [Worker], [Seat, { guard: signedIn }]],
    ] as const)('a guard %s refuses', async (_, workers, seats) => {
      const app = serve([Desk], workers, seats)
      expect(await read(app, '/desks/query?$with=users')).toBe('UNAUTHENTICATED')
      expect(await read(app, '/desks/one/1?$with=users')).toBe('UNAUTHENTICATED')
      expect(await read(app, '/desks/one/1')).toMatchObject({ id: 1 })
      const answer = await app.inject({ url: '/desks/one/1?$with=users', headers: { authorization: 'Bearer ada' } })
      expect(answer.json().users).toHaveLength(3)
    })

    it('a guard that returns false refuses', async () => {
      const app = serve([Desk], [Worker, { guard: () => false }])
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('FORBIDDEN')
    })

    it('a guard factory that was not called admits nobody', async () => {
      const app = serve([Desk], [Worker, { guard: () => () => true }])
      expect((await app.inject('/desks/query?$with=owner')).statusCode).toBe(500)
    })

    it('a guard among the decorators refuses, on its own routes and here', async () => {
      const app = serve([Desk], [Worker, { decorators: [Guard(signedIn)], guard: () => undefined }])
      expect(await read(app, '/workers/query')).toBe('UNAUTHENTICATED')
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('UNAUTHENTICATED')
      const answer = await app.inject({ url: '/desks/one/1?$with=owner', headers: { authorization: 'Bearer ada' } })
      expect(answer.json()).toMatchObject({ owner: { id: 1 } })
    })

    it('each guard runs once', async () => {
      let asked = 0
      const guard = () => void asked++
      const app = serve([Desk, { guard }], [Worker, { guard }], [Seat, { guard }], [Room, { guard }])
      expect(await read(app, '/desks/one/1?$with=owner,users,room')).toMatchObject({ id: 1 })
      expect(asked).toBe(1)
    })

    it('records outside of a scope are left out, like missing ones', async () => {
      const app = serve([Desk], [Worker, { scope: company }], [Seat], [Room])
      const desks = await read(app, '/desks/query?$with=owner,users,room')
      expect(desks.map((it: LoadedDesk) => it.owner?.id)).toEqual([1, undefined, undefined])
      expect(desks.map((it: LoadedDesk) => it.users?.map((user) => user.id))).toEqual([[1, 3], [], []])
      expect(desks[1]).not.toHaveProperty('owner')
      const others = await app.inject({ url: '/desks/one/1?$with=users', headers: { 'x-company': 'y' } })
      expect(others.json().users).toEqual([{ id: 2, name: 'Bob', company: 'y' }])
    })

    it('a scope of the junction leaves out links', async () => {
      const app = serve([Desk], [Worker, { scope: company }], [Seat, { scope: () => ({ open: true }) }])
      expect((await read(app, '/desks/one/1?$with=users')).users.map((it: Worker) => it.id)).toEqual([1])
    })

    it('a scope applies whatever the name of the table’s declaration', async () => {
      const app = serve([Desk], [{ ...Worker, name: 'Colleague' } as AnyTable, { scope: () => ({ company: 'y' }) }])
      expect(await read(app, '/desks/one/1?$with=owner')).not.toHaveProperty('owner')
    })

    it('if a table is served twice, the records of either controller are included', async () => {
      const owners = async (app: App) =>
        (await read(app, '/desks/query?$with=owner')).map((it: LoadedDesk) => it.owner?.id)
      const bob = { route: 'staff', scope: () => ({ name: 'Bob' }) }
      expect(await owners(serve([Desk], [Worker, { scope: company }], [Worker, bob]))).toEqual([1, 2, undefined])
      expect(await owners(serve([Desk], [Worker, { scope: company }]))).toEqual([1, undefined, undefined])
      expect(await owners(serve([Desk], [Worker], [Worker, bob]))).toEqual([1, 2, undefined])
      // A controller whose guard refuses adds nothing, and takes nothing away.
      const refused = { route: 'all', guard: () => false }
      expect(await owners(serve([Desk], [Worker, refused], [Worker, bob]))).toEqual([undefined, 2, undefined])
    })

    it('a controller without read operations does not affect reading', async () => {
      const writes = { route: 'admin', operations: ['insert', 'update', 'delete'], guard: signedIn }
      const app = serve([Desk], [Worker, { operations: ['getOne', 'findMany'] }], [Worker, writes])
      expect(await read(app, '/desks/one/1?$with=owner')).toMatchObject({ owner: { id: 1 } })
      // Named by hand, a table that nobody may read by its own routes keeps the rules that it has.
      const named = serve([Desk, { relations: ['owner'] }], [Worker, writes])
      expect(await read(named, '/desks/one/1?$with=owner')).toBe('UNAUTHENTICATED')
    })

    it('only the guard for reading runs', async () => {
      const app = serve([Desk], [Worker, { guard: { read: () => true, default: () => false } }])
      expect(await read(app, '/desks/one/1?$with=owner')).toMatchObject({ owner: { id: 1 } })
      const other = serve([Desk], [Worker, { guard: { read: signedIn, default: () => true } }])
      expect(await read(other, '/desks/one/1?$with=owner')).toBe('UNAUTHENTICATED')
    })

    it('a refusal names the relation, and keeps status, code and headers', async () => {
      const guard = () => {
        throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first', { headers: { 'www-authenticate': 'Bearer' } })
      }
      const answer = await serve([Desk], [Worker, { guard }]).inject('/desks/one/1?$with=owner')
      expect(answer.json()).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
        detail: 'relation `owner`: sign in first',
      })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    })

    it.each([
      ['returns nothing', () => undefined],
      ['throws', () => JSON.parse('{')],
      ['names an unknown field', () => ({ nope: 1 })],
      ['is a list', () => []],
      ['is a map', () => new Map()],
    ])('a scope that %s is a failure of the server', async (_, scope) => {
      const app = serve([Desk], [Worker, { scope }])
      expect(await read(app, '/desks/one/1?$with=owner')).toBe('INTERNAL')
      expect(await read(app, '/desks/query?$with=owner')).toBe('INTERNAL')
    })
  })

  describe('with the option `relations`', () => {
    it('the listed relations are offered, also to tables without routes, and no others', async () => {
      const app = serve([Desk, { relations: ['owner'] }], [Room])
      expect(await read(app, '/desks/one/1?$with=owner')).toMatchObject({ owner: { id: 1, name: 'Ada' } })
      expect(await read(app, '/desks/one/1?$with=room')).toBe('VALIDATION_FAILED')
      const none = serve([Desk, { relations: [] }], [Worker])
      expect((await none.inject('/desks/one/1?$with=owner')).json().detail).toContain('there are none')
    })

    it('the rules of tables with routes still apply', async () => {
      const app = serve([Desk, { relations: ['owner', 'users'] }], [Worker, { scope: company, operations: ['insert'] }])
      expect((await read(app, '/desks/one/1?$with=users')).users.map((it: Worker) => it.id)).toEqual([1, 3])
      expect(await read(app, '/desks/one/2?$with=owner')).not.toHaveProperty('owner')
    })

    it('a name that is not a relation is refused at start', () => {
      expect(() => tableController(Desk, { db, relations: ['boss'] })).toThrow(
        expect.objectContaining({ name: 'RouteError', code: 'OPTIONS_INVALID' }),
      )
    })
  })

  describe('included records', () => {
    it('are found by composite keys, both ways, and hide what is write-only', async () => {
      const app = serve([Desk], [Room], [Worker], [Seat])
      expect(await read(app, '/desks/one/3?$with=room,owner')).toEqual({
        id: 3,
        building: 'a',
        number: 2,
        room: { building: 'a', number: 2 },
      })
      const rooms = await read(app, '/rooms/query?$with=desks')
      expect(rooms.map((it: LoadedRoom) => it.desks?.map((desk) => desk.id))).toEqual([[1, 2], [3]])
      expect((await app.inject('/desks/query?$with=users,owner')).body).not.toContain('badge')
    })

    it('belong to the right records, even with many records and similar keys', async () => {
      const keys = Array.from({ length: 240 }, (_, index) => ({ building: `b${'1'.repeat(index % 3)}`, number: index }))
      const alike = [
        { building: 'c', number: 11 },
        { building: 'c1', number: 1 },
      ]
      await db.table(Room).insertMany([...keys, ...alike])
      await db.table(Desk).insertMany([...keys, ...alike].map((key, index) => ({ id: 100 + index, ...key })))
      const rooms = await read(serve([Room], [Desk]), '/rooms/query?$limit=1000&$with=desks&building[ne]=a')
      expect(rooms).toHaveLength(242)
      for (const { desks, ...key } of rooms) expect(desks).toEqual([expect.objectContaining(key)])
    })

    it('do not depend on the selected fields', async () => {
      const app = serve([Desk], [Room], [Worker])
      expect(await read(app, '/desks/query?$select=id&$with=owner&$limit=1')).toEqual([
        { id: 1, owner: { id: 1, name: 'Ada', company: 'x' } },
      ])
      expect(await read(app, '/desks/one/1?$select=ownerId&$with=room')).toEqual({
        id: 1,
        ownerId: 1,
        room: { building: 'a', number: 1 },
      })
    })

    it('have at most `maxRelated` entries per list, by key, and the response names the truncated lists', async () => {
      const inFirst = Array.from({ length: 10 }, (_, index) => ({ id: 4 + index, building: 'a', number: 1 }))
      await db.table(Desk).insertMany([...inFirst, { id: 20, building: 'a', number: 2 }])
      const app = serve([Room, { maxRelated: 3 }], [Desk, { maxRelated: 2 }], [Worker], [Seat])
      const answer = await app.inject('/rooms/query?$with=desks')
      expect(answer.json().map((it: LoadedRoom) => it.desks?.map((desk) => desk.id))).toEqual([
        [1, 2, 4],
        [3, 20],
      ])
      expect(answer.headers['x-truncated']).toBe('desks')
      const through = await app.inject('/desks/one/1?$with=users,owner')
      expect([through.json().users.length, through.headers['x-truncated']]).toEqual([2, 'users'])
      expect((await app.inject('/desks/one/2?$with=users,owner')).headers).not.toHaveProperty('x-truncated')
      // The rest comes from the routes of the table itself.
      const rest = await app.inject('/desks/query?building=a&number=1&$select=id&$offset=3')
      expect(rest.json().map((it: Desk) => it.id)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13])
    })

    it('are reported as truncated by the client too', async () => {
      const app = serve([Room, { maxRelated: 1 }], [Desk])
      const rooms = createTableClient(Room, { url: `${await app.listen()}/rooms` })
      expect((await rooms.findPage({ with: ['desks'] })).truncated).toEqual(['desks'])
      expect((await rooms.findPage({ with: ['desks'], where: { number: 2 } })).truncated).toEqual([])
    })
  })
})
