// Syncs, and kills itself before or after one of its statements: sync-and-die.mjs <sqlite|postgres|mysql|mongo> <where> <n> <before|after>
import { openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { after, allow } from './sync-scenario.mjs'

const [engine, where = '', position, moment] = process.argv.slice(2)
let count = 0
let isOpen = false

function die() {
  process.kill(process.pid, 'SIGKILL')
}

/** Counts a statement and runs it. @template T @param {() => T} work @returns {T} */
function counted(work) {
  if (isOpen) count += 1
  const mine = count
  if (moment === 'before' && mine === Number(position)) die()
  const result = work()
  if (moment === 'after' && mine === Number(position)) die()
  return result
}

async function openSqlite() {
  const { default: BetterSqlite } = await import('better-sqlite3')
  const real = new BetterSqlite(where)
  real.pragma('journal_mode = WAL')
  const handle = new Proxy(real, {
    get(target, name) {
      if (name === 'exec') return (/** @type {string} */ text) => counted(() => target.exec(text))
      if (name === 'prepare') return (/** @type {string} */ text) => watch(target.prepare(text))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return sqlite({ handle })
}

/** Only what writes is counted. @param {import('better-sqlite3').Statement} statement */
function watch(statement) {
  return new Proxy(statement, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (/** @type {unknown[]} */ ...args) => {
        const run = () => value.apply(target, args)
        const result = name === 'run' ? counted(run) : run()
        return result === target ? receiver : result
      }
    },
  })
}

async function openPostgres() {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: where, max: 2 })
  const wrapped = {
    connect(/** @type {Function} */ done) {
      pool.connect((error, client) => {
        if (!client) return done(error)
        const query = (/** @type {any} */ config, /** @type {Function} */ answer) => {
          if (isOpen) count += 1
          const mine = count
          if (moment === 'before' && mine === Number(position)) die()
          client.query(config, (/** @type {unknown[]} */ ...args) => {
            if (moment === 'after' && mine === Number(position)) die()
            answer(...args)
          })
        }
        done(undefined, { query, release: () => client.release(), on: () => {}, off: () => {} })
      })
    },
    end: () => pool.end(),
    on: () => {},
    off: () => {},
  }
  return postgres({ pool: /** @type {any} */ (wrapped) })
}

/** The same of what writes and answers by a callback, its last argument. @param {any} target @param {string} name */
function countCallbacks(target, name) {
  return (/** @type {any} */ options, /** @type {Function} */ answer) => {
    if (/^\s*SELECT/.test(options.sql)) return target[name](options, answer)
    if (isOpen) count += 1
    const mine = count
    if (moment === 'before' && mine === Number(position)) die()
    return target[name](options, (/** @type {unknown[]} */ ...args) => {
      if (moment === 'after' && mine === Number(position)) die()
      answer(...args)
    })
  }
}

async function openMysql() {
  const { default: driver } = await import('mysql2')
  const pool = driver.createPool({ uri: where, connectionLimit: 2 })
  const known = new WeakMap()
  const watched = (/** @type {any} */ client) =>
    new Proxy(client, {
      get(target, name) {
        if (name === 'query' || name === 'execute') return countCallbacks(target, name)
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const wrapped = {
    getConnection(/** @type {Function} */ done) {
      pool.getConnection((error, client) => {
        if (error) return done(error)
        if (!known.has(client)) known.set(client, watched(client))
        done(null, known.get(client))
      })
    },
  }
  return mysql({ pool: /** @type {any} */ (wrapped) })
}

const writes = new Set(
  'insertOne insertMany updateOne updateMany deleteOne deleteMany findOneAndUpdate bulkWrite createIndex dropIndex rename drop createCollection'.split(
    ' ',
  ),
)

/** Only what writes is counted, but for signs of life. @param {any} target @returns {any} */
function watchWrites(target) {
  return new Proxy(target, {
    get(inner, name) {
      const value = Reflect.get(inner, name)
      if (typeof value !== 'function') return value
      if (name === 'collection') {
        return (/** @type {string} */ called) => {
          const collection = inner.collection(called)
          return called === 'portico__lease' ? collection : watchWrites(collection)
        }
      }
      if (!writes.has(String(name))) return value.bind(inner)
      return async (/** @type {unknown[]} */ ...args) => {
        if (isOpen) count += 1
        const mine = count
        if (moment === 'before' && mine === Number(position)) die()
        const result = await value.apply(inner, args)
        if (moment === 'after' && mine === Number(position)) die()
        return result
      }
    },
  })
}

async function openMongo() {
  const { MongoClient } = await import('mongodb')
  return mongo({ db: watchWrites(new MongoClient(where).db()), leaseMs: 60_000 })
}

const openers = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql, mongo: openMongo }
const db = await openDatabase(await openers[/** @type {keyof openers} */ (engine)]())
isOpen = true
await db.sync(after, { allow, concurrentRows: 1 })
console.log(`done after ${count}`)
process.exit()
