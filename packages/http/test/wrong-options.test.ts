import type { Tables } from '@portico/db'
import { createApp, defineRoute, tableController } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { Task } from './tracker.portico.ts'

const db = { table: () => ({}) } as unknown as Tables
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
    ['a route that is not text', { db, route: 1 }, '`route`'],
    ['a path that is not text', { db, path: 1 }, '`path`'],
    ['two paths', { db, path: 'a', route: 'b' }, '`path` and `route` are the same option, but their values differ'],
    ['guards that are undefined', { db, guards: undefined }, '`guards` has to be a function'],
    ['two guards', { db, guard: () => true, guards: [() => true] }, '`guard` and `guards` are the same option'],
  ])('of a table: %s', (_, options, told) => {
    expect(() => tableController(Task, options as never)).toThrow(mistake('TABLE_ROUTES_INVALID', told))
  })

  it.each([undefined, null, {}, 'tasks', class {}])('%j is no table', (table) => {
    expect(() => tableController(table as never, { db })).toThrow(mistake('TABLE_ROUTES_INVALID', 'a declared table'))
  })

  it.each([
    ['no options', undefined, 'an object of options'],
    ['a misspelt guard', { gaurd: () => false }, 'no option `gaurd`; known are method, path'],
    ['guards that are undefined', { guards: undefined }, '`guards` has to be a function or a list of functions'],
    ['a guard that is undefined', { guard: undefined }, '`guard` has to be a function or a list of functions'],
    ['a list with undefined in it', { guards: [undefined] }, '`guards` has to be a function or a list of functions'],
    ['two guards', { guard: () => true, guards: [() => true] }, '`guard` and `guards` are the same option'],
    ['two paths', { route: '/y' }, '`path` and `route` are the same option, but their values differ'],
    ['a path that is not text', { path: 1 }, '`path` has to be a path'],
    ['a handler that is none', { handler: 'x' }, '`handler` has to be a function'],
  ])('of a route: %s', (_, options, told) => {
    const given = options && { method: 'GET', path: '/x', handler: () => 1, ...options }
    expect(() => defineRoute(given as never)).toThrow(mistake('OPTIONS_INVALID', told))
  })

  it('of a route: no path', () => {
    const route = { method: 'GET', handler: () => 1 }
    expect(() => defineRoute(route as never)).toThrow(mistake('OPTIONS_INVALID', 'needs a `path`'))
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
