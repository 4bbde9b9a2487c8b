// Compiled with the tests: a public type that changes breaks it.

import type { Database } from '@portico/db'
import {
  createApp,
  defineRoute,
  HttpError,
  type HttpRequest,
  type ProblemCode,
  reply,
  tableController,
} from '@portico/http'
import { createTableClient } from '@portico/http/client'
import { expectTypeOf } from 'vitest'
import { Task, type TaskInsert } from './tracker.portico.ts'

declare const db: Database
declare const guard: (request: HttpRequest) => void

// The input of a handler follows from the tokens.
defineRoute({
  method: 'GET',
  path: '/tasks/:id',
  params: { id: Number },
  query: { verbose: Boolean, tags: [String] },
  returns: Task,
  handler: ({ params, query, request }) => {
    expectTypeOf(params.id).toEqualTypeOf<number>()
    expectTypeOf(query.verbose).toEqualTypeOf<boolean>()
    expectTypeOf(request.method).toBeString()
    // @ts-expect-error the path has no such parameter
    void params.key
    return reply(404)
  },
})

// @ts-expect-error a handler returns what the route says it returns
defineRoute({ method: 'GET', path: '/count', returns: Number, handler: () => 'many' })

// @ts-expect-error a route has a path
defineRoute({ method: 'GET', handler: () => 1 })

// One guard or a list, under either name; `path` and `route` are the same option.
tableController(Task, { db, guard })
tableController(Task, { db, guards: [guard, guard] })
tableController(Task, { db, path: '/todo' })
tableController(Task, { db, route: '/todo' })
// @ts-expect-error an operation that does not exist
tableController(Task, { db, operations: ['getOne', 'erase'] })
// @ts-expect-error a scope names fields of the table
tableController(Task, { db, scope: () => ({ nobody: 1 }) })

createApp().register(tableController(Task, { db }))

const client = createTableClient(Task, { url: '/tasks' })
expectTypeOf<Parameters<(typeof client)['insertOne']>[0]>().toExtend<TaskInsert>()
expectTypeOf(client.getOne(1)).resolves.toExtend<{ id: number } | undefined>()
// @ts-expect-error a field that the table does not have
void client.findMany({ where: { colour: 'red' } })

// The codes of the package, and your own.
expectTypeOf<ProblemCode>().toExtend<HttpError['code']>()
expectTypeOf<HttpError>().toExtend<Error>()
