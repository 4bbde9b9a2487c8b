import type { Queryable } from '@portico/db'
import { createApp, defineRoute, tableController } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { Task } from './tracker.portico.ts'

const db = { table: () => ({}) } as unknown as Queryable
const mistake = (code: string, message: string) =>
  expect.objectContaining({ name: 'RouteError', code, message: expect.stringContaining(message) })

describe('a wrong option is reported at start', () => {
  it.each([
    ['no options', undefined, 'the options must be an object, got undefined'],
    ['no database', {}, '`db` is required: it must be an open database'],
    ['no open database', { db: {} }, '`db` must be an open database, got an object'],
    ['a misspelled guard', { db, gaurd: () => false }, 'unknown option `gaurd`; did you mean `guard`?'],
    ['a guard that is undefined', { db, guard: undefined }, '`guard` must be a function'],
    ['a scope that is a condition', { db, scope: { ownerId: 1 } }, '`scope` must be a function'],
    ['a scope that is undefined', { db, scope: undefined }, '`scope` must be a function'],
    ['an unknown operation', { db, operations: ['getOne', 'read'] }, 'getOne, findMany, insert'],
    ['relations that are not a list', { db, relations: 'owner' }, '`relations`'],
    ['a limit below 0', { db, maxLimit: -1 }, '`maxLimit` must be a non-negative integer, got -1'],
    ['a limit that is not a number', { db, maxRelated: '5' }, '`maxRelated`'],
    ['a route that is not text', { db, route: 1 }, '`route`'],
    ['a path that is not text', { db, path: 1 }, '`path`'],
    ['two paths', { db, path: 'a', route: 'b' }, '`path` and `route` are the same option, but their values differ'],
    ['guards that are undefined', { db, guards: undefined }, '`guards` must be a function'],
    ['two guards', { db, guard: () => true, guards: [() => true] }, '`guard` and `guards` are the same option'],
  ])('of a table: %s', (_, options, message) => {
    expect(() => tableController(Task, options as never)).toThrow(mistake('OPTIONS_INVALID', message))
  })

  it.each([undefined, null, {}, 'tasks', class {}])('%j is not a table', (table) => {
    expect(() => tableController(table as never, { db })).toThrow(mistake('OPTIONS_INVALID', 'a declared table'))
  })

  it.each([
    ['no options', undefined, 'the options must be an object, got undefined'],
    ['a misspelled guard', { gaurd: () => false }, 'unknown option `gaurd`; did you mean'],
    ['an unknown option', { cors: true }, 'unknown option `cors`; the options are method, path'],
    ['guards that are undefined', { guards: undefined }, '`guards` must be a function or a list of functions'],
    ['a guard that is undefined', { guard: undefined }, '`guard` must be a function or a list of functions'],
    ['a list with undefined in it', { guards: [undefined] }, '`guards` must be a function or a list of functions'],
    ['two guards', { guard: () => true, guards: [() => true] }, '`guard` and `guards` are the same option'],
    ['two paths', { route: '/y' }, '`path` and `route` are the same option, but their values differ'],
    ['a path that is not text', { path: 1 }, '`path` must be a path, got 1'],
    ['a handler that is not a function', { handler: 'x' }, '`handler` must be a function'],
  ])('of a route: %s', (_, options, message) => {
    const given = options && { method: 'GET', path: '/x', handler: () => 1, ...options }
    expect(() => defineRoute(given as never)).toThrow(mistake('OPTIONS_INVALID', message))
  })

  it('of a route: no path', () => {
    const route = { method: 'GET', handler: () => 1 }
    expect(() => defineRoute(route as never)).toThrow(mistake('OPTIONS_INVALID', '`path` is required'))
  })

  it.each([
    [{ port: 3000 }, 'unknown option `port`'],
    [{ bodyLimitBytes: '1mb' }, '`bodyLimitBytes`'],
    [{ bodyLimitBytes: 0 }, 'createApp: `bodyLimitBytes` must be a positive integer, got 0'],
    [{ requestTimeoutMs: Number.NaN }, '`requestTimeoutMs`'],
    [{ closeTimeoutMs: 2 ** 31 }, '`closeTimeoutMs` must be an integer of milliseconds'],
    [null, 'an object'],
  ])('of an app: %j', (options, message) => {
    expect(() => createApp(options as never)).toThrow(mistake('OPTIONS_INVALID', message))
  })

  it('a table alone is not a controller, and the message names tableController', () => {
    expect(() => createApp().register(Task)).toThrow(mistake('CONTROLLER_INVALID', 'tableController(Task, { db })'))
  })

  it('a list of routes is not a controller, and the message says to spread it', () => {
    const routes = [defineRoute({ method: 'GET', path: '/x', handler: () => 1 })]
    expect(() => createApp().register(routes as never)).toThrow(mistake('CONTROLLER_INVALID', '(...routes)'))
  })

  it.each([undefined, null, 'x', 7, () => 1])('%j is not a controller', (controller) => {
    expect(() => createApp().register(controller as never)).toThrow(mistake('CONTROLLER_INVALID', 'not a controller'))
  })
})
