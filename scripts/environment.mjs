// Finds the programs besides Node that tests use, and lists missing ones.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ name: string, path: string, version: string }} Found
 * @typedef {{ name: string, what: string, fix: string, find: () => Found | undefined }} Requirement
 */

const chromiumPaths = [
  ...['chromium', 'chromium-browser', 'google-chrome'].flatMap(findOnPath),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** @param {string} name */
function findOnPath(name) {
  return (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))
}

/** @returns {Found | undefined} */
export function findChromium() {
  const chosen = process.env['PORTICO_CHROMIUM']
  const path = (chosen ? [chosen] : chromiumPaths).find((candidate) => existsSync(candidate))
  if (!path) return undefined
  // Chrome on Windows opens a window instead of printing its version.
  const printed = process.platform === 'win32' ? '' : spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
  return { name: 'Chromium', path, version: printed?.match(/[\d.]+/)?.[0] ?? 'unknown version' }
}

/** The folder of the PostgreSQL server programs, which Debian does not put in PATH. @returns {Found | undefined} */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const chosen = process.env['PORTICO_POSTGRES_BIN']
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  const path = (chosen ? [chosen] : folders).find((folder) =>
    ['postgres', 'initdb', 'pg_isready'].every((name) => existsSync(join(folder, name))),
  )
  if (!path) return undefined
  const printed = spawnSync(join(path, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout
  return { name: 'PostgreSQL', path, version: printed?.match(/\d+\.\d+/)?.[0] ?? 'unknown version' }
}

/** The shells that run sync scripts. @returns {Found | undefined} */
export function findSqlShells() {
  const printed = [
    ['sqlite3', '-version'],
    ['psql', '--version'],
  ].map(([name = '', option = '']) => spawnSync(name, [option], { encoding: 'utf8' }).stdout?.match(/\d+\.\d+/)?.[0])
  if (printed.includes(undefined)) return undefined
  return { name: 'sqlite3 and psql', path: '', version: printed.join(' and ') }
}

/** The validators of API descriptions, installed by `npm install --prefix test/tools`. @returns {Found | undefined} */
export function findJudges() {
  const path = fileURLToPath(new URL('../test/tools', import.meta.url))
  const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((it) =>
    readPackages(join(path, it)),
  )
  if (!wanted || !installed) return undefined
  const names = Object.keys(wanted['']?.dependencies ?? {}).map((name) => `node_modules/${name}`)
  if (!names.every((name) => wanted[name]?.version === installed[name]?.version)) return undefined
  return { name: 'OpenAPI judges', path, version: `${names.length} of them` }
}

/** @param {string} file @returns {Record<string, { version: string, dependencies?: object }> | undefined} */
function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}

/** The folder where `.ci/run` puts servers without a system package. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'portico-ci')

/** The folder of mongo-java-server's jars, if Java is installed. @returns {Found | undefined} */
export function findMongo() {
  const path = process.env['PORTICO_MONGO_JAVA_SERVER'] ?? join(cache, 'mongo-java-server')
  const jars = existsSync(path) ? readdirSync(path) : []
  const version = jars.map((it) => /^mongo-java-server-([\d.]+)\.jar$/.exec(it)?.[1]).find(Boolean)
  const hasJava = findOnPath('java').some((candidate) => existsSync(candidate))
  return version && hasJava ? { name: 'mongo-java-server', path, version } : undefined
}

/** FerretDB, built by `.ci/ferretdb`. @returns {Found | undefined} */
export function findFerret() {
  const path = process.env['PORTICO_FERRETDB'] ?? join(cache, 'ferretdb', 'ferretdb')
  return existsSync(path) ? { name: 'FerretDB', path, version: '1.24' } : undefined
}

/**
 * The virtual environment with the Python tools of test/tools/requirements.txt, which test an API by its description.
 * @returns {Found | undefined}
 */
export function findPythonTools() {
  const path = process.env['PORTICO_API_PYTHON'] ?? join(cache, 'api-python')
  const wanted = readFileSync(fileURLToPath(new URL('../test/tools/requirements.txt', import.meta.url)), 'utf8')
  const programs = ['schemathesis', 'openapi-python-client'].map((it) => join(path, 'bin', it))
  if (!programs.every((it) => existsSync(it)) || readText(join(path, 'requirements.txt')) !== wanted) return undefined
  return { name: 'Schemathesis', path, version: wanted.match(/^schemathesis==(\S+)/m)?.[1] ?? 'unknown version' }
}

/** The jar of openapi-generator, if Java is installed. @returns {Found | undefined} */
export function findOpenapiGenerator() {
  const path = process.env['PORTICO_OPENAPI_GENERATOR'] ?? join(cache, 'openapi-generator')
  const jars = existsSync(path) ? readdirSync(path) : []
  const jar = jars.find((it) => /^openapi-generator-cli-[\d.]+\.jar$/.test(it))
  const hasJava = findOnPath('java').some((candidate) => existsSync(candidate))
  if (jar === undefined || !hasJava) return undefined
  return { name: 'openapi-generator', path: join(path, jar), version: jar.match(/\d[\d.]*\d/)?.[0] ?? '' }
}

/** oapi-codegen, built by `.ci/oapi-codegen`, if Go is installed. @returns {Found | undefined} */
export function findOapiCodegen() {
  const path = process.env['PORTICO_OAPI_CODEGEN'] ?? join(cache, 'oapi-codegen', 'oapi-codegen')
  const module = readText(fileURLToPath(new URL('../.ci/oapi-codegen/go.mod', import.meta.url))) ?? ''
  const hasGo = findOnPath('go').some((candidate) => existsSync(candidate))
  if (!existsSync(path) || !hasGo) return undefined
  return { name: 'oapi-codegen', path, version: module.match(/oapi-codegen\/v2 v([\d.]+)/)?.[1] ?? '' }
}

/** @param {string} file */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The MariaDB server, which Debian puts in /usr/sbin, with `mariadb-install-db`. @returns {Found | undefined} */
export function findMariadb() {
  const chosen = process.env['PORTICO_MARIADBD']
  const path = (chosen ? [chosen] : [...findOnPath('mariadbd'), '/usr/sbin/mariadbd']).find((it) => existsSync(it))
  if (!path || !findOnPath('mariadb-install-db').some((it) => existsSync(it))) return undefined
  const printed = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
  return { name: 'MariaDB', path, version: printed?.match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown version' }
}

/** PgBouncer, which Debian puts in /usr/sbin. @returns {Found | undefined} */
export function findPgbouncer() {
  const path = [...findOnPath('pgbouncer'), '/usr/sbin/pgbouncer'].find((it) => existsSync(it))
  if (!path) return undefined
  const printed = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
  return { name: 'PgBouncer', path, version: printed?.match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown version' }
}

/** An existing server, set by an environment variable. @param {string} name @param {string} variable @returns {Found | undefined} */
function findGiven(name, variable) {
  return process.env[variable] ? { name, path: '', version: `of ${variable}` } : undefined
}

/** Programs that some tests need. Missing ones are reported. @type {Requirement[]} */
export const requirements = [
  {
    name: 'Chromium',
    what: 'browser tests',
    fix: process.env['PORTICO_CHROMIUM']
      ? 'PORTICO_CHROMIUM is set to a file that does not exist'
      : 'install Chromium or Chrome, or set PORTICO_CHROMIUM to its path',
    find: findChromium,
  },
  {
    name: 'PostgreSQL',
    what: 'the tests of tables on PostgreSQL',
    fix: 'install PostgreSQL, set PORTICO_POSTGRES_BIN to the folder of its programs, or PORTICO_TEST_POSTGRES_URL to the address of a server',
    find: () => findGiven('PostgreSQL', 'PORTICO_TEST_POSTGRES_URL') ?? findPostgres(),
  },
  {
    name: 'PgBouncer',
    what: 'the tests of PostgreSQL behind a pooler',
    fix: 'install PgBouncer',
    find: findPgbouncer,
  },
  {
    name: 'MariaDB',
    what: 'the tests of tables on MySQL and MariaDB',
    fix: 'install MariaDB’s server, set PORTICO_MARIADBD to its path, or PORTICO_TEST_MYSQL_URL to the address of a server',
    find: () => findGiven('MySQL', 'PORTICO_TEST_MYSQL_URL') ?? findMariadb(),
  },
  {
    name: 'sqlite3 and psql',
    what: 'the tests that run scripts of sync in the shells of SQLite and PostgreSQL',
    fix: 'install the command line programs of SQLite and PostgreSQL',
    find: findSqlShells,
  },
  {
    name: 'OpenAPI judges',
    what: 'the tests that have generated API descriptions judged by other tools',
    fix: 'npm install --prefix test/tools',
    find: findJudges,
  },
  {
    name: 'Schemathesis',
    what: 'the tests that try an API by its description, and the Python clients generated from it',
    fix: 'make the virtual environment of test/tools/requirements.txt as .ci/run does, or set PORTICO_API_PYTHON to its folder',
    find: findPythonTools,
  },
  {
    name: 'openapi-generator',
    what: 'the tests of clients that openapi-generator makes',
    fix: 'install Java, copy the jar as .ci/run does, or set PORTICO_OPENAPI_GENERATOR to the folder that has it',
    find: findOpenapiGenerator,
  },
  {
    name: 'oapi-codegen',
    what: 'the tests of clients in Go',
    fix: 'install Go, build .ci/oapi-codegen as .ci/run does, or set PORTICO_OAPI_CODEGEN to the program',
    find: findOapiCodegen,
  },
  {
    name: 'mongo-java-server',
    what: 'the tests of tables on MongoDB',
    fix: 'install Java, copy its jars as .ci/run does, set PORTICO_MONGO_JAVA_SERVER to the folder that has them, or PORTICO_TEST_MONGO_URL to the address of a MongoDB',
    find: () => findGiven('MongoDB', 'PORTICO_TEST_MONGO_URL') ?? findMongo(),
  },
  {
    name: 'FerretDB',
    what: 'the tests of tables on a second server that speaks MongoDB’s protocol',
    fix: 'build .ci/ferretdb as .ci/run does, or set PORTICO_FERRETDB to the program',
    find: findFerret,
  },
]

/** Checks all requirements. @returns {{ found: Found[], missing: Requirement[] }} */
export function survey() {
  const found = []
  const missing = []
  for (const requirement of requirements) {
    const hit = requirement.find()
    if (hit) found.push(hit)
    else missing.push(requirement)
  }
  return { found, missing }
}
