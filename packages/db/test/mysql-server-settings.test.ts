/** Servers that were started with other settings than those of all other tests. */
import { type Database, openDatabase } from '@portico/db'
import { mysql } from '@portico/db/mysql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mariadbFound, startMariadb } from '../../../test/support/mariadb.ts'
import { mysqlEngine } from './support/engines.ts'
import { tableOf } from './support/statements.ts'
import { models, run, syncWhole } from './support/sync.ts'

describe.skipIf(!mariadbFound)('a MySQL server with other defaults', () => {
  let server: Awaited<ReturnType<typeof startMariadb>> | undefined
  let db: Database | undefined
  beforeAll(async () => {
    server = await startMariadb({
      // As on Windows, on macOS and in some clouds: `Users` and `users` are one table.
      'lower-case-table-names': '1',
      // Whatever characters a client says that it speaks in, the server hears its own.
      'character-set-client-handshake': '0',
      'character-set-server': 'latin1',
    })
    await mysqlEngine.command(server.url, 'create database App')
    db = await openDatabase(mysql({ url: new URL('/App', server.url).href }))
  }, 600_000)
  afterAll(async () => {
    await db?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const tables = (id: string, field: string, note = "@db.table 'Notes'") =>
    models(`@db.table 'Teams' export interface Team { @meta.id id: ${id} }
      ${note} @db.schema 'MySchema' export interface Note { @meta.id id: number\n @db.rel.FK of?: Team.id\n ${field} }`)

  it('stores all characters', async () => {
    const [notes] = models(`@db.table 'Texts' export interface Text { @meta.id id: string\n a: string }`)
    await syncWhole(db!, [notes!])
    const stored = await db!.table(tableOf(notes!)).insertOne({ id: '🙂', a: 'é🙂' })
    expect(await db!.table(tableOf(notes!)).findMany({ where: { a: 'é🙂' } as never })).toEqual([stored])
    expect(await run(db!, "select char_length(a) as n from Texts where id = '🙂'")).toEqual([{ n: 2 }])
  })

  it('keeps the declared case of table names through every change', async () => {
    await syncWhole(db!, tables('number', 'a?: boolean'))
    await run(db!, 'insert into Teams values (7)')
    await run(db!, 'insert into MySchema.Notes values (1, 7, 1)')
    await syncWhole(db!, tables('number', 'a?: string'), { allow: ['convert MySchema.Notes.a'] })
    // The foreign key of Notes is sync's own; this one is not.
    await run(db!, 'create table Mine (of int references Teams (id))')
    const rekey = { allow: ['convert Teams.id', 'convert MySchema.Notes.of'] }
    const held = db!.sync(tables('string', 'a?: string'), rekey)
    await expect(held).rejects.toThrow(
      /^table `Teams`: the foreign key `mine_ibfk_1` of `mine`, which sync did not create/,
    )
    await run(db!, 'drop table Mine')
    await syncWhole(db!, tables('string', 'a?: string'), rekey)
    await syncWhole(db!, tables('string', 'a?: string', "@db.table 'Texts' @db.table.renamed 'Notes'"))
    expect(await run(db!, 'select * from MySchema.Texts')).toEqual([{ id: 1, of: '7', a: 'true' }])
    const lost = run(db!, "insert into MySchema.Texts values (2, '8', null)")
    await expect(lost).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
  })
})
