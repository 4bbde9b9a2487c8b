/** Calls the demo by openapi-fetch, with types for what it sends and gets. */
export const fetchProgram = `
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './fetch-demo'

const headers = { authorization: 'Bearer ' + process.env.TOKEN }
const client = createClient<paths>({ baseUrl: process.env.URL!, headers })

const all = await client.GET('/tasks/query')
assert.ok(all.data!.length > 1)
const ids: number[] = all.data!.map((it) => it.id)
const some = await client.GET('/tasks/query', { params: { query: { state: 'done', $select: 'title' } } })
assert.ok(some.data!.length > 0 && some.data!.length < ids.length)
assert.equal(some.data![0]!.state, undefined)
const made = await client.POST('/tasks', { body: { title: 'By openapi-fetch', projectId: 1 } })
assert.ok(made.data && !Array.isArray(made.data))
const id: number = made.data.id
const changed = await client.PATCH('/tasks', { params: { query: { id } }, body: { priority: 1 } })
assert.equal(changed.data!.priority, 1)
// @ts-expect-error there is no such state
await client.GET('/tasks/query', { params: { query: { state: 'lost' } } })
console.log('done')
`

/**
 * Loads every module of a package; the first argument is its name. openapi-python-client forgets an import where a body
 * has two content types, as that of `POST /bodies/form` does.
 */
export const importAll = `
import importlib, pkgutil, sys
sys.path.insert(0, '.')
package = importlib.import_module(sys.argv[1])
names = [it.name for it in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]
assert len(names) > 20, names
for name in names:
    if not name.endswith('.post_bodies_form'): importlib.import_module(name)
`

/** Calls the demo by a client of openapi-python-client: without filters it finds everything. */
export const pythonProgram = `
import importlib, os, sys
sys.path.insert(0, '.')
from tracker_client import AuthenticatedClient
from tracker_client.models import TaskSelected
find = importlib.import_module('tracker_client.api.tasks.get_tasks_query')
client = AuthenticatedClient(base_url=os.environ['URL'], token=os.environ['TOKEN'])
everything = find.sync(client=client)
assert len(everything) > 3, everything
assert {it.state for it in everything} >= {'open', 'done'}, everything
some = find.sync(client=client, select='title')
assert len(some) == len(everything) and all(isinstance(it, TaskSelected) and it.title for it in some), some
print('done')
`

/** Calls the demo by a client of openapi-generator. */
export const generatedPythonProgram = `
import os
import client_demo
configuration = client_demo.Configuration(host=os.environ['URL'], access_token=os.environ['TOKEN'])
with client_demo.ApiClient(configuration) as client:
    api = client_demo.TasksApi(client)
    everything = api.g_et_tasks_query()
    assert len(everything) > 3, everything
    some = api.g_et_tasks_query(select='title')
    assert len(some) == len(everything) and all(it.title and it.state is None for it in some), some
print('done')
`
