// Syncs, and kills itself before or after one of its statements: sync-and-die.mjs <sqlite|postgres> <where> <n> <before|after>
import { openDatabase } from '@portico/db'
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

const db = await openDatabase(await (engine === 'sqlite' ? openSqlite() : openPostgres()))
isOpen = true
await db.sync(after, { allow, concurrentRows: 1 })
console.log(`done after ${count}`)
process.exit()
