// Compiled with the tests: types follow the generated interfaces, and what is wrong does not compile.
import {
  type Database,
  DbError,
  type DbErrorCode,
  type DeleteResult,
  type Loaded,
  openDatabase,
  type SyncResult,
  type UpdateResult,
  type Where,
} from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { type PostgresOptions, postgres } from '@portico/db/postgres'
import { type SqliteOptions, sqlite } from '@portico/db/sqlite'
import { Group, Membership, Person, Team, Thing, type ThingInsert } from '@portico/db/testing'
import BetterSqlite from 'better-sqlite3'
import { MongoClient } from 'mongodb'
import { createPool } from 'mysql2'
import { createPool as createPromisePool } from 'mysql2/promise'
import { Pool } from 'pg'
import { expectTypeOf } from 'vitest'

expectTypeOf(openDatabase(sqlite({ file: ':memory:' }))).resolves.toEqualTypeOf<Database>()
expectTypeOf<SqliteOptions>().toEqualTypeOf<{ readonly file: string; readonly busyTimeoutMs?: number | undefined }>()
expectTypeOf<PostgresOptions['url']>().toEqualTypeOf<string>()
void postgres({ url: 'postgres://localhost/app', maxConnections: 5 })
void postgres({ pool: new Pool() })
void mysql({ pool: createPool('mysql://localhost/app') })
void mysql({ pool: createPromisePool('mysql://localhost/app') })
void mongo({ db: new MongoClient('mongodb://localhost/app').db() })
void sqlite({ handle: new BetterSqlite(':memory:') })
expectTypeOf<DbError['code']>().toEqualTypeOf<DbErrorCode>()
expectTypeOf(new DbError('TIMEOUT', 'x')).toExtend<Error>()

declare const db: Database
declare const thing: ThingInsert
const things = db.table(Thing)
const groups = db.table(Group)
const people = db.table(Person)
const teams = db.table(Team)
const memberships = db.table(Membership)

// Results are the declared records.
expectTypeOf(things.insertOne(thing)).resolves.toEqualTypeOf<Thing>()
expectTypeOf(things.insertMany([thing])).resolves.toEqualTypeOf<Thing[]>()
expectTypeOf((await things.findById(1))!.address.geo?.lat).toEqualTypeOf<number | undefined>()
expectTypeOf((await things.findMany())[0]!.kind).toEqualTypeOf<'small' | 'big'>()
expectTypeOf(things.updateOne({ id: 1 })).resolves.toEqualTypeOf<UpdateResult>()
expectTypeOf(things.deleteOne(1)).resolves.toEqualTypeOf<DeleteResult>()
expectTypeOf(things.count({ flag: true })).resolves.toEqualTypeOf<number>()
expectTypeOf(things.exists()).resolves.toEqualTypeOf<boolean>()
expectTypeOf(db.sync([Thing, Team])).resolves.toEqualTypeOf<SyncResult>()
expectTypeOf(db.transaction(async (tx) => tx.table(Team).count())).resolves.toEqualTypeOf<number>()
expectTypeOf(db.sql<{ n: number }>`select 1 as n`).resolves.toEqualTypeOf<{ n: number }[]>()

// A selection narrows the record; relations that were asked for are there.
const [picked] = await things.findMany({ select: ['name', 'address'] })
expectTypeOf(picked!).toEqualTypeOf<Pick<Thing, 'name' | 'address'>>()
const [team] = await teams.findMany({ with: { members: { with: { team: true } } } })
expectTypeOf(team!.members[0]!.team).toEqualTypeOf<Team | undefined>()
const person = await people.findById('x', { select: ['name'], with: { groups: true, team: true } })
expectTypeOf(person!.groups).toEqualTypeOf<Group[]>()
expectTypeOf(person!.team).toEqualTypeOf<Team | undefined>()
const [narrow] = await teams.findMany({ with: { members: { select: ['name', 'age'] } } })
expectTypeOf(narrow!).toEqualTypeOf<{ id: number; name: string; members: { name: string; age?: number }[] }>()
const [deep] = await teams.findMany({ with: { members: { with: { groups: { with: { memberships: true } } } } } })
expectTypeOf(deep!.members[0]!.groups[0]!.memberships).toEqualTypeOf<Membership[]>()
const [lean] = await people.findMany({ select: ['name'], with: { team: { select: ['name'] } } })
expectTypeOf(lean!).toEqualTypeOf<{ name: string; team?: { name: string } }>()
// A required foreign key leads to a record, unless a condition leaves it out.
const membership = await memberships.findOne({ with: { group: true } })
expectTypeOf(membership!.group.title).toEqualTypeOf<string>()
const filtered = await memberships.findOne({ with: { group: { where: { title: 'x' } } } })
expectTypeOf(filtered!.group).toEqualTypeOf<Group | undefined>()
declare const isWanted: boolean
const perhaps = await teams.findOne({ with: isWanted ? { members: true } : {} })
expectTypeOf(perhaps!.members?.[0]?.name).toEqualTypeOf<string | undefined>()
expectTypeOf<Loaded<typeof Team, { members: { select: ['name'] } }>>().toEqualTypeOf<{
  id: number
  name: string
  members: { name: string }[]
}>()
// @ts-expect-error a relation that may have been left out
void perhaps!.members.length
// @ts-expect-error a relation that was not asked for is not there
void (await teams.findMany())[0]!.members
// @ts-expect-error nor is it after an insert
void (await teams.insertOne({ name: 'x' })).members
// @ts-expect-error nor beside another one
void membership!.person
// @ts-expect-error an empty selection has no fields
void (await things.findMany({ select: [] }))[0]!.name
// @ts-expect-error what was not selected of a related record is not there
void narrow!.members[0]!.version
for await (const streamed of people.stream({ where: { name: 'x' } }))
  expectTypeOf(streamed.name).toEqualTypeOf<string>()

// Keys: a single one bare or as an object, a composite one whole.
void things.findById({ id: 1 })
void groups.findById({ region: 'eu', code: 1 })
void memberships.deleteOne({ personId: 'x', region: 'eu', code: 1 })
// @ts-expect-error a key of another type
void things.findById('1')
// @ts-expect-error a partial composite key
void groups.findById({ region: 'eu' })
// @ts-expect-error a composite key cannot come bare
void groups.findById('eu')
// @ts-expect-error a key field too many
void groups.findById({ region: 'eu', code: 1, title: 't' })
// @ts-expect-error a partial composite key
void memberships.updateOne({ personId: 'x', role: 'y' })

// Input.
// @ts-expect-error an unknown field
void things.insertOne({ ...thing, nope: 1 })
// @ts-expect-error a missing required field
void groups.insertOne({ region: 'eu', code: 1 })
// @ts-expect-error a missing required field on a replacement, the default one too
void memberships.replaceOne({ personId: 'x', region: 'eu', code: 1 })
// @ts-expect-error the key of a replacement
void groups.replaceOne({ region: 'eu', title: 't' })
void things.updateOne({ id: 1, note: null })
// @ts-expect-error a required field cannot be cleared
void things.updateOne({ id: 1, whole: null })
// @ts-expect-error a value of another type
void things.updateOne({ id: 1, whole: '1' })
void groups.updateMany({ region: 'eu' }, { title: 't' })
// @ts-expect-error the key stays as it is
void groups.updateMany({ region: 'eu' }, { code: 2 })
// @ts-expect-error each record has its own version
void people.updateMany({ name: 'x' }, { version: 2 })
// @ts-expect-error time stamps are the table's own
void things.updateMany({ name: 'x' }, { updatedAt: 2 })
// @ts-expect-error all records are said with {}
void groups.deleteMany()
// @ts-expect-error a navigation is not an input
void people.insertOne({ name: 'x', team: { id: 1, name: 't' } })

// Queries.
void things.findMany({
  where: {
    name: { $like: 'a%', $ne: 'b' },
    'address.geo.lat': { $gte: 1, $null: false },
    kind: { $in: ['big', 'small'], $ne: 'big' },
    flag: { $in: [true, false], $eq: true },
    checked: { $ne: false, $nin: [true, null] },
    'address.geo': { $null: true },
    note: null,
    tags: { $null: false },
    $or: [{ flag: false }, { $not: { price: { $lt: '1' } } }],
  },
  orderBy: { 'address.city': 'desc', id: 'asc' },
  limit: 1,
  offset: 2,
})
void things.findMany({ where: { 'address.geo': null } })
// @ts-expect-error a literal that the type does not list
void things.findMany({ where: { kind: { $in: ['big', 'huge'] } } })
// @ts-expect-error a pattern for a boolean
void things.findMany({ where: { flag: { $like: 't%' } } })
// @ts-expect-error a nested object is asked for by its fields
void things.findMany({ where: { address: { city: 'Bern' } } })
// @ts-expect-error an object has no order
void things.findMany({ orderBy: { address: 'asc' } })
// @ts-expect-error an array has no order
void things.findMany({ orderBy: { tags: 'asc' } })
// @ts-expect-error one record has no limit
void things.findOne({ limit: 1 })
// @ts-expect-error an unknown field
void things.findMany({ where: { nope: 1 } })
// @ts-expect-error an unknown path
void things.findMany({ where: { 'address.zip': 1 } })
// @ts-expect-error a value of another type
void things.findMany({ where: { whole: '1' } })
// @ts-expect-error a literal that the type does not list
void things.findMany({ where: { kind: 'huge' } })
// @ts-expect-error an unknown operator
void things.findMany({ where: { name: { $regex: 'a' } } })
// @ts-expect-error a pattern for a number
void things.findMany({ where: { whole: { $like: '1%' } } })
// @ts-expect-error JSON has no comparison
void things.findMany({ where: { tags: { $eq: ['a'] } } })
// @ts-expect-error an unknown field
void things.findMany({ orderBy: { nope: 'asc' } })
// @ts-expect-error an unknown direction
void things.findMany({ orderBy: { name: 'up' } })
// @ts-expect-error an unknown field
void things.findMany({ select: ['nope'] })
// @ts-expect-error a navigation cannot be selected: load it with `with`
void people.findMany({ select: ['team'] })
// @ts-expect-error an unknown relation
void people.findMany({ with: { nope: true } })
// @ts-expect-error a plain field is not a relation
void people.findMany({ with: { name: true } })
// @ts-expect-error a navigation is not a condition
void people.findMany({ where: { 'team.name': 'x' } })
// @ts-expect-error nor is it in a related query
void teams.findMany({ with: { members: { where: { 'team.name': 'x' } } } })
// @ts-expect-error a navigation has no order there
void teams.findMany({ with: { members: { orderBy: { 'team.name': 'asc' } } } })
// @ts-expect-error a navigation cannot be selected there
void teams.findMany({ with: { members: { select: ['team'] } } })
// @ts-expect-error a pattern for a decimal
void things.findMany({ where: { price: { $like: '1%' } } })
// `undefined` means that an option is not given.

void openDatabase(sqlite({ file: ':memory:' }), { clock: undefined, transactionTimeoutMs: undefined })
void db.transaction(async () => 1, { isolation: undefined, retries: undefined, timeoutMs: undefined })
void things.stream({ batchSize: undefined })
void things.findOne({ orderBy: undefined, offset: undefined })
// @ts-expect-error a condition that went missing would match every record
void things.findOne({ where: isWanted ? { name: 'x' } : undefined })
const [whole] = await things.findMany({ select: undefined, limit: undefined })
expectTypeOf(whole!).toEqualTypeOf<Thing>()
const [partial] = await people.findMany({ with: { team: { select: isWanted ? ['name'] : undefined } } })
expectTypeOf(partial!.team!).toEqualTypeOf<Pick<Team, 'name'>>()
const [entire] = await people.findMany({ with: { team: { select: undefined } } })
expectTypeOf(entire!.team!).toEqualTypeOf<Team>()
const [possible] = await people.findMany({ with: { team: isWanted ? true : undefined } })
expectTypeOf(possible!.team).toEqualTypeOf<Team | undefined>()
const [nested] = await teams.findMany({ with: { members: { with: isWanted ? { team: true } : undefined } } })
expectTypeOf(nested!.members[0]!).toEqualTypeOf<Person>()
const named: Where<Person> = { name: { $like: 'a%' } }
void people.findMany({ where: named })
// @ts-expect-error the codes are a closed set
void new DbError('NOPE', 'x')
