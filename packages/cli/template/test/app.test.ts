import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { buildApp } from '../src/app.js'
import { prepare } from '../src/database.js'

test('keeps a note and counts it', async (t) => {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  t.after(() => db.close())
  await prepare(db)
  const app = buildApp(db)

  const made = await app.inject({ method: 'POST', url: '/notes', payload: { title: 'Milk' } })
  assert.equal(made.statusCode, 201)
  assert.equal(made.json().done, false)

  const refused = await app.inject({ method: 'POST', url: '/notes', payload: { title: '' } })
  assert.equal(refused.statusCode, 400)

  assert.deepEqual((await app.inject('/summary')).json(), { open: 1, done: 0 })
})
