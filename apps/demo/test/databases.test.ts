import { describe, expect, it } from 'vitest'
import { databaseServers } from '../../../test/support/database-servers.ts'
import { makeFolder, startDemo } from './support/demo.ts'
import { findPort } from './support/scene.ts'
import { Visitor } from './support/visitor.ts'

describe.each(databaseServers)('with the URL of a $name', ({ name, isThere, start }) => {
  it.skipIf(!isThere)(
    'is the same app, and finds its data there again',
    async () => {
      await using server = await start()
      const url = await server.create()
      const env = { PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: url }
      const args = ['--no-browser', '--port', String(await findPort())]
      const first = startDemo(args, env)
      const visitor = new Visitor(await first.address)
      await visitor.signIn('ada')
      const form = { title: `Kept by ${name}`, project: 'Engines', priority: '1', dueOn: '2031-01-02' }
      expect((await visitor.send('/task', form)).status).toBe(303)
      const [, id] = (await (await visitor.send('/?text=kept')).text()).match(/\/task\/(\d+)/)!
      const change = { ...form, version: '1', state: 'doing', tags: 'far, wide' }
      expect((await visitor.send(`/task/${id}`, change)).status).toBe(303)
      // Several at once, of which one makes the project.
      const same = Array.from({ length: 8 }, (_, index) => ({ ...form, title: `Shared ${index}`, project: 'Fresh' }))
      const answers = await Promise.all(same.map((it) => visitor.send('/task', it)))
      expect(answers.map((it) => it.status)).toEqual(same.map(() => 303))
      expect((await first.stop()).code).toBe(0)
      const again = startDemo(args, env)
      await again.address
      const page = await (await visitor.send('/?text=kept')).text()
      for (const text of ['Ada Lovelace', `Kept by ${name}`, 'Engines', 'far', 'wide']) expect(page).toContain(text)
      expect((await again.stop()).code).toBe(0)
    },
    120_000,
  )

  it('reports an unreachable database in one line', async () => {
    const scheme = { PostgreSQL: 'postgres', MariaDB: 'mariadb', MongoDB: 'mongodb' }[name]
    const url = `${scheme}://u:hush@127.0.0.1:${await findPort()}/none`
    const { code, output } = await startDemo([], { PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: url }).ended
    expect(code).toBe(1)
    expect(output).toMatch(
      /^UNAVAILABLE: .*Check that the database in PORTICO_DATABASE_URL is running, .*or unset the variable to run on SQLite\n$/,
    )
    expect(output).not.toContain('hush')
  }, 30_000)
})
