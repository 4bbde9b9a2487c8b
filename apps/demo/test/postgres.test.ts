import { describe, expect, it } from 'vitest'
import { postgresFound, startPostgres } from '../../../test/support/postgres.ts'
import { makeFolder, startDemo } from './support/demo.ts'
import { findPort } from './support/scene.ts'
import { Visitor } from './support/visitor.ts'

describe.skipIf(!postgresFound)('with PORTICO_DATABASE_URL', () => {
  it('is the same app on PostgreSQL, and finds its data there again', async () => {
    await using server = await startPostgres()
    const env = { PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: server.url }
    const args = ['--no-browser', '--port', String(await findPort())]
    const first = startDemo(args, env)
    const visitor = new Visitor(await first.address)
    await visitor.signIn('ada')
    const form = { title: 'Kept by PostgreSQL', project: 'House', priority: '1', dueOn: '2031-01-02' }
    expect((await visitor.send('/task', form)).status).toBe(303)
    expect((await first.stop()).code).toBe(0)
    const again = startDemo(args, env)
    await again.address
    const page = await (await visitor.send('/?text=kept')).text()
    expect(page).toContain('Ada Lovelace')
    expect(page).toContain('Kept by PostgreSQL')
    expect((await again.stop()).code).toBe(0)
  }, 60_000)

  it('says in a line that the database cannot be reached', async () => {
    const url = `postgres://u:hush@127.0.0.1:${await findPort()}/none`
    const { code, output } = await startDemo([], { PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: url }).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^UNAVAILABLE: .*is it running, .*Without it the app runs on SQLite\n$/)
    expect(output).not.toContain('hush')
  })
})
