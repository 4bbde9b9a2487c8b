import type { Queryable } from '@portico/db'
import { createApp, defineRoute, tableController } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { Task } from './tracker.portico.ts'

const db = { table: () => ({}) } as unknown as Queryable
const mistake = (code: string, told: string) =>
  expect.objectContaining({ name: 'RouteError', code, message: expect.stringContaining(told) })

describe('a mistake in options is told at start', () => {
  it.each([
    ['no options', undefined, 'an object of options'],
    ['no database', {}, 'needs a database'],
    ['no open database', { db: {} }, '`db`'],
    ['a misspelt guard', { db, gaurd: () => false }, 'no option `gaurd`'],
    ['a guard that is undefined', { db, guard: undefined }, '`guard` has to be a function'],
    ['a scope that is a condition', { db, scope: { ownerId: 1 } }, '`scope` has to be a function'],
    ['a scope that is undefined', { db, scope: undefined }, '`scope` has to be a function'],
    ['an operation that is none', { db, operations: ['getOne', 'read'] }, 'getOne, findMany, insert'],
    ['relations that are no list', { db, relations: 'owner' }, '`relations`'],
    ['a limit below 0', { db, maxLimit: -1 }, '`maxLimit` has to be a whole number'],
    ['a limit that is no number', { db, maxRelated: '5' }, '`maxRelated`'],
    ['a route that is none', { db, route: 1 }, '`route`'],
  ])('of a table: %s', (_, options, told) => {
    expect(() => tableController(Task, options as never)).toThrow(mistake('TABLE_ROUTES_INVALID', told))
  })

  it.each([undefined, null, {}, 'tasks', class {}])('%j is no table', (table) => {
    expect(() => tableController(table as never, { db })).toThrow(mistake('TABLE_ROUTES_INVALID', 'a declared table'))
  })

  it.each([
    ['no options', undefined, 'an object of options'],
    ['one guard in place of a list', { guard: () => false }, 'no option `guard`; known are method, path'],
    ['guards that are undefined', { guards: undefined }, '`guards` has to be a list of functions'],
    ['a guard that is undefined', { guards: [undefined] }, '`guards` has to be a list of functions'],
    ['a guard without its list', { guards: () => false }, '`guards` has to be a list of functions'],
    ['a path that is none', { path: undefined }, '`path` has to be a path'],
    ['a handler that is none', { handler: 'x' }, '`handler` has to be a function'],
  ])('of a route: %s', (_, options, told) => {
    const given = options && { method: 'GET', path: '/x', handler: () => 1, ...options }
    expect(() => defineRoute(given as never)).toThrow(mistake('OPTIONS_INVALID', told))
  })

  it.each([
    [{ port: 3000 }, 'no option `port`'],
    [{ bodyLimitBytes: '1mb' }, '`bodyLimitBytes`'],
    [{ bodyLimitBytes: 0 }, '`bodyLimitBytes` has to be a whole number, 1 or more'],
    [{ requestTimeoutMs: Number.NaN }, '`requestTimeoutMs`'],
    [{ closeTimeoutMs: 2 ** 31 }, '`closeTimeoutMs` has to be a whole number of milliseconds'],
    [null, 'an object'],
  ])('of an app: %j', (options, told) => {
    expect(() => createApp(options as never)).toThrow(mistake('OPTIONS_INVALID', told))
  })

  it('a table by itself is no controller, and what makes one of it is told', () => {
    expect(() => createApp().register(Task)).toThrow(mistake('CONTROLLER_INVALID', 'tableController(Task, { db })'))
  })

  it('a list of routes is no controller, and what to do with one is told', () => {
    const routes = [defineRoute({ method: 'GET', path: '/x', handler: () => 1 })]
    expect(() => createApp().register(routes as never)).toThrow(mistake('CONTROLLER_INVALID', '(...routes)'))
  })

  it.each([undefined, null, 'x', 7, () => 1])('%j is no controller', (controller) => {
    expect(() => createApp().register(controller as never)).toThrow(mistake('CONTROLLER_INVALID', 'no controller'))
  })
})
