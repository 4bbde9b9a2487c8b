import { defineGuard, type Guard, type Guards, HttpError, type OperationGuards, tableController } from '@portico/http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aTask, openTracker, type Tracker } from './support.ts'
import { Task } from './tracker.portico.ts'

const refuse =
  (code: string): Guard =>
  () => {
    throw new HttpError(403, code, 'no')
  }

const requests = [
  ['getOne', 'GET', '/tasks/one/1'],
  ['findMany', 'GET', '/tasks/query'],
  ['insert', 'POST', '/tasks'],
  ['replace', 'PUT', '/tasks?id=1'],
  ['update', 'PATCH', '/tasks?id=1'],
  ['delete', 'DELETE', '/tasks/1'],
] as const

describe('guards by operation', () => {
  let tracker: Tracker
  afterEach(() => tracker[Symbol.asyncDispose]())

  async function codes(guards: OperationGuards | Guards, option = 'guard'): Promise<unknown[]> {
    tracker = await openTracker({ [option]: guards })
    await tracker.db.table(Task).insertOne(aTask)
    const answers: unknown[] = []
    for (const [, method, url] of requests) {
      const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: { ...aTask } }
      const answer = await tracker.app.inject({ method, url, ...payload })
      answers.push(answer.statusCode < 400 ? answer.statusCode : answer.json().code)
    }
    return answers
  }

  it('each kind of operation has its own', async () => {
    const guard = { read: refuse('R'), insert: refuse('I'), update: refuse('U'), delete: refuse('D') }
    expect(await codes(guard)).toEqual(['R', 'R', 'I', 'U', 'U', 'D'])
  })

  it('`default` applies to operations without an entry', async () => {
    expect(await codes({ read: () => true, default: refuse('X') })).toEqual([200, 200, 'X', 'X', 'X', 'X'])
  })

  it.each(['guard', 'guards'])('one function under `%s` applies to all operations', async (option) => {
    expect(await codes(refuse('X'), option)).toEqual(['X', 'X', 'X', 'X', 'X', 'X'])
  })

  it.each(['guard', 'guards'])('a list under `%s` runs in order', async (option) => {
    expect(await codes([() => true, refuse('X'), refuse('Y')], option)).toEqual(['X', 'X', 'X', 'X', 'X', 'X'])
  })

  it.each(['guard', 'guards'])('an entry of `%s` may be a list', async (option) => {
    const guards = { read: [() => true], default: [() => true, refuse('X')] }
    expect(await codes(guards, option)).toEqual([200, 200, 'X', 'X', 'X', 'X'])
  })
})

describe('mistakes are found when the controller is made', () => {
  let tracker: Tracker
  beforeEach(async () => {
    tracker = await openTracker()
  })
  afterEach(() => tracker[Symbol.asyncDispose]())

  it.each<[string, object, string]>([
    ['an operation without a guard', { read: () => true }, '`guard` has no entry for insert'],
    [
      'an unknown name',
      { read: () => true, write: () => true },
      '`guard` must be a function, a list of functions, or an object',
    ],
    ['no guard at all', {}, '`guard` must be a function, a list of functions, or an object'],
    ['an empty list', [], '`guard` must be a function, a list of functions, or an object'],
    ['an entry with an empty list', { read: [], default: () => true }, '`guard` must be a function'],
    [
      'a name without a guard',
      { read: undefined, default: () => true },
      '`guard` must be a function, a list of functions, or an object',
    ],
  ])('%s', (_, guard, message) => {
    const create = () => tableController(Task, { db: tracker.db, guard: guard as OperationGuards })
    expect(create).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) }),
    )
  })

  it('an operation that is not served needs no guard', () => {
    const operations = ['getOne', 'findMany'] as const
    const { routes } = tableController(Task, { db: tracker.db, operations, guard: { read: () => true } })
    expect(routes.every((it) => it.guards.length === 1)).toBe(true)
  })

  it('routes carry the guards of their operation, for the description', () => {
    const signedIn = defineGuard({ security: 'bearer' }, () => true)
    const { routes } = tableController(Task, { db: tracker.db, guard: { read: () => true, default: signedIn } })
    const secured = routes.filter((it) => it.guards.some((guard) => guard.security)).map((it) => it.source.handler)
    expect(new Set(secured)).toEqual(new Set(['insert', 'replace', 'update', 'delete']))
  })
})
