import { AuditEvent, AuthorizationRequest, authTables, User } from '@portico/auth-server'
import type { AnyTable } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { TestBrowser } from './support/browser.ts'
import { engines } from './support/engines.ts'
import { ask, logIn, startServer } from './support/server.ts'

/** Columns that databases of version 0.1.0 do not have. */
const added = new Map<AnyTable, readonly string[]>([
  [User, ['roles', 'endedAt']],
  [AuthorizationRequest, ['hintedUserId']],
  [AuditEvent, ['count']],
])

/** A table as it was before. */
function before<T extends AnyTable>(table: T): T {
  const names = added.get(table) ?? []
  return { ...table, columns: table.columns.filter(({ name }) => !names.includes(name)) }
}

describe.each(engines)('a database of an earlier version, %s', (_, share) => {
  it('gets the new columns without asking, and serves programs of both versions', async () => {
    await using shared = await share()
    const older = await shared.open()
    await older.sync(authTables.map(before))
    const ada = { username: 'ada', emailVerified: false, active: true, createdAt: 0 }
    const { id } = await older.table(before(User)).insertOne(ada)
    const db = await shared.open()
    await db.sync(authTables)
    await using it = await startServer({ db, isSynced: true })
    expect(await it.server.users.findById(id)).toEqual({ id, ...ada })
    expect(await it.server.users.rolesSince(id, 0)).toEqual([])
    expect(await it.server.users.setRoles(id, ['admin'])).toBe(true)
    expect(await it.server.users.rolesSince(id, 0)).toEqual(['admin'])
    const tokens = await logIn({ ...it, browser: () => new TestBrowser(it.app) }, ask({ scope: 'tasks' }))
    expect(tokens.scope).toBe('tasks')
    // Rows that the earlier version still writes work with this one.
    const eve = await older.table(before(User)).insertOne({ ...ada, username: 'eve' })
    expect(await it.server.users.rolesSince(eve.id, 0)).toEqual([])
  }, 60_000)
})
