import { readFile, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Group, Person, suiteTables, Team, Thing } from '@portico/db/testing'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/engines.ts'
import { runProgram } from './support/programs.ts'

describe('a file', () => {
  it('is opened in WAL mode, with foreign keys on and fsync at checkpoints', async () => {
    await using folder = await temporaryFolder()
    const db = await openDatabase(sqlite({ file: folder.file('a.db') }))
    expect(await db.sql`pragma journal_mode`).toEqual([{ journal_mode: 'wal' }])
    expect(await db.sql`pragma foreign_keys`).toEqual([{ foreign_keys: 1 }])
    expect(await db.sql`pragma synchronous`).toEqual([{ synchronous: 1 }])
    await db.close()
    await expect(stat(folder.file('a.db-wal'))).rejects.toThrow('ENOENT')
  })

  it('keeps what was stored', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('a.db')
    const first = await openDatabase(sqlite({ file }))
    await first.sync(suiteTables)
    const stored = await first.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })
    await first.close()
    const second = await openDatabase(sqlite({ file }))
    expect(await second.sync(suiteTables)).toEqual({ steps: [] })
    expect(await second.table(Group).findMany()).toEqual([stored])
    await second.close()
  })

  it.each([
    ['text', Buffer.from('this is not a database, but somebody needs it\n'.repeat(200))],
    ['a database whose head is damaged', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080, 0xff)])],
  ])('of another kind is refused and stays unchanged: %s', async (_, content) => {
    await using folder = await temporaryFolder()
    const file = folder.file('other.txt')
    await writeFile(file, content)
    await expect(openDatabase(sqlite({ file }))).rejects.toMatchObject({
      code: 'DATABASE_INVALID',
      message: 'the file is damaged or is not a SQLite database',
    })
    expect(await readFile(file)).toEqual(content)
    await expect(stat(`${file}-wal`)).rejects.toThrow('ENOENT')
  })

  it('with a damaged schema is refused and stays unchanged', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('a.db')
    new BetterSqlite(file).exec('create table t (a)').close()
    const content = await readFile(file)
    content.fill(0xff, 100, 4000)
    await writeFile(file, content)
    await expect(openDatabase(sqlite({ file }))).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
    expect(await readFile(file)).toEqual(content)
  })

  it('in a missing folder is unavailable', async () => {
    await using folder = await temporaryFolder()
    const opening = openDatabase(sqlite({ file: folder.file('no/such/folder/a.db') }))
    await expect(opening).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('with damaged pages says so when they are read', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('a.db')
    const db = await openDatabase(sqlite({ file }))
    await db.sync(suiteTables)
    await db
      .table(Group)
      .insertMany(Array.from({ length: 2000 }, (_, code) => ({ region: 'eu', code, title: 'x'.repeat(50) })))
    await db.close()
    const bytes = await readFile(file)
    bytes.fill(0xaa, bytes.length - 20 * 4096)
    await writeFile(file, bytes)
    const damaged = await openDatabase(sqlite({ file }))
    await expect(damaged.table(Group).findMany()).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
    await damaged.close()
  })

  it('may be passed in as a handle, which stays open', async () => {
    const handle = new BetterSqlite(':memory:')
    const db = await openDatabase(sqlite({ handle }))
    await db.sync(suiteTables)
    await db.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })
    await db.close()
    expect(handle.prepare('select count(*) n from groups').get()).toEqual({ n: 1 })
    handle.close()
  })
})

describe('numbers', () => {
  it('beyond 2^53 − 1 are an error on read, never rounded', async () => {
    const handle = new BetterSqlite(':memory:')
    const db = await openDatabase(sqlite({ handle }))
    await db.sync(suiteTables)
    handle.exec("insert into org__teams (id, name) values (9007199254740993, 'big'), (-9007199254740993, 'small')")
    handle.exec("insert into people (id, name, age, version) values ('x', 'p', 9007199254740992, 1)")
    await expect(db.table(Person).findMany()).rejects.toMatchObject({ code: 'NUMBER_UNSAFE' })
    await expect(db.table(Team).findMany({ where: { name: 'big' } })).rejects.toMatchObject({ code: 'NUMBER_UNSAFE' })
    await expect(db.table(Team).findMany({ where: { name: 'small' } })).rejects.toMatchObject({ code: 'NUMBER_UNSAFE' })
    await db.close()
    handle.close()
  })

  it('decimals that a floating-point number cannot hold exactly are refused, never rounded', async () => {
    const db = await openDatabase(sqlite({ file: ':memory:' }))
    await db.sync(suiteTables)
    const store = (amount: string) =>
      db.table(Thing).insertOne({
        name: amount,
        kind: 'big',
        ratio: 1,
        whole: 1,
        flag: true,
        price: '0',
        amount,
        tags: [],
        address: { city: 'x' },
      })
    for (const amount of ['9007199254740993', '12345678901.123456', '-1234567890123456.5', '1234567890.123456789']) {
      await expect(store(amount)).rejects.toMatchObject({ code: 'DECIMAL_INEXACT', fields: ['amount'] })
    }
    await expect(store('123456789012345')).resolves.toMatchObject({ amount: '123456789012345' })
    expect(await db.table(Thing).count()).toBe(1)
    await db.close()
  })
})

it('works with code generation from strings disabled', async () => {
  await using program = runProgram('without-code-generation', [], ['--disallow-code-generation-from-strings'])
  expect((await program.ended).code).toBe(0)
  expect(program.lines).toEqual(['fine'])
})

it('waits for a locked file without blocking the event loop', async () => {
  await using folder = await temporaryFolder()
  const file = folder.file('a.db')
  await using db = await openDatabase(sqlite({ file }))
  await db.sync(suiteTables)
  // SQLite itself waits without returning to the event loop: it must not do so for long.
  expect(await db.sql`pragma busy_timeout`).toEqual([{ timeout: 5 }])
  const holder = new BetterSqlite(file)
  try {
    holder.exec('begin immediate')
    const settled: string[] = []
    const waiting = [
      db.table(Group).insertOne({ region: 'a', code: 1, title: 'alone' }),
      db.transaction((tx) => tx.table(Group).insertOne({ region: 'b', code: 1, title: 'together' })),
    ].map((it) => it.then(({ title }) => settled.push(title)))
    // Only a free event loop gets to the commit: were it held up, the writes would end with TIMEOUT instead.
    for (let turn = 0; turn < 50; turn++) await sleep(1)
    expect(settled).toEqual([])
    holder.exec('commit')
    await Promise.all(waiting)
    expect(settled.sort()).toEqual(['alone', 'together'])
  } finally {
    holder.close()
  }
})

it('times out waiting for a lock, and works again afterwards', async () => {
  await using folder = await temporaryFolder()
  const file = folder.file('a.db')
  const db = await openDatabase(sqlite({ file, busyTimeoutMs: 60 }))
  await db.sync(suiteTables)
  await using holder = runProgram('hold-lock', [file, '60000'])
  await holder.line(/locked/)
  const group = { region: 'a', code: 1, title: 't' }
  await expect(db.table(Group).insertOne(group)).rejects.toMatchObject({ code: 'TIMEOUT' })
  await expect(db.transaction((tx) => tx.table(Group).insertOne(group))).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(await db.table(Group).count()).toBe(0)
  await holder.kill()
  await db.transaction((tx) => tx.table(Group).insertOne(group))
  expect(await db.table(Group).count()).toBe(1)
  await db.close()
})

it('waits at opening while another process has the file locked, up to busyTimeoutMs', async () => {
  await using folder = await temporaryFolder()
  const file = folder.file('a.db')
  const holder = new BetterSqlite(file)
  try {
    holder.exec('create table t (a); begin exclusive')
    const refused = openDatabase(sqlite({ file, busyTimeoutMs: 30 }))
    await expect(refused).rejects.toMatchObject({ code: 'TIMEOUT' })
    const opening = openDatabase(sqlite({ file }))
    await sleep(50)
    holder.exec('commit')
    const db = await opening
    expect(await db.sql`pragma journal_mode`).toEqual([{ journal_mode: 'wal' }])
    await db.close()
  } finally {
    holder.close()
  }
})

it.each(['', undefined, null, 5])('a file without a name is refused: %s', (file) => {
  expect(() => sqlite({ file: file as string })).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining('file') }),
  )
})

it.each(['tags', 'price'])('a stored value of the wrong type is reported without the value: %s', async (column) => {
  const handle = new BetterSqlite(':memory:')
  const db = await openDatabase(sqlite({ handle }))
  await db.sync(suiteTables)
  const address = { city: 'x' }
  const rest = { ratio: 1, whole: 1, flag: true, price: '0', tags: [], address }
  await db.table(Thing).insertOne({ name: 'n', kind: 'big', ...rest })
  handle.exec(`update things set ${column} = 'secret'`)
  const error: unknown = await db
    .table(Thing)
    .findMany()
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'DATABASE_INVALID' })
  expect(inspect(error, { depth: 9 })).not.toContain('secret')
  await db.close()
  handle.close()
})
