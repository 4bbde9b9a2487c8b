// What this machine offers the tests, found once and told the same way everywhere.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @typedef {{ name: string, path: string, version: string }} Found
 * @typedef {{ name: string, what: string, mend: string, find: () => Found | undefined }} Requirement
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

/** The folder of PostgreSQL's programs: the server's and `initdb`, which Debian keeps out of PATH. @returns {Found | undefined} */
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

/** MariaDB's server, which Debian keeps where only root looks; `mariadb-install-db` comes with it. @returns {Found | undefined} */
export function findMariadb() {
  const chosen = process.env['PORTICO_MARIADBD']
  const path = (chosen ? [chosen] : [...findOnPath('mariadbd'), '/usr/sbin/mariadbd']).find((it) => existsSync(it))
  if (!path || !findOnPath('mariadb-install-db').some((it) => existsSync(it))) return undefined
  const printed = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
  return { name: 'MariaDB', path, version: printed?.match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown version' }
}

/** A server of one's own that the environment names. @param {string} name @param {string} variable @returns {Found | undefined} */
function findGiven(name, variable) {
  return process.env[variable] ? { name, path: '', version: `of ${variable}` } : undefined
}

/** What some tests need beyond Node: each is used where it is found and named where it is not. @type {Requirement[]} */
export const requirements = [
  {
    name: 'Chromium',
    what: 'the tests that look at pages in a browser',
    mend: process.env['PORTICO_CHROMIUM']
      ? 'PORTICO_CHROMIUM names a file that is not there'
      : 'install Chromium or Chrome, or set PORTICO_CHROMIUM to its path',
    find: findChromium,
  },
  {
    name: 'PostgreSQL',
    what: 'the tests of tables on PostgreSQL',
    mend: 'install PostgreSQL, or set PORTICO_POSTGRES_BIN to the folder of its programs',
    find: () => findGiven('PostgreSQL', 'PORTICO_TEST_POSTGRES_URL') ?? findPostgres(),
  },
  {
    name: 'MariaDB',
    what: 'the tests of tables on MySQL and MariaDB',
    mend: 'install MariaDB’s server, or set PORTICO_MARIADBD to its path',
    find: () => findGiven('MySQL', 'PORTICO_TEST_MYSQL_URL') ?? findMariadb(),
  },
]

/** What was found of all that, and what was not. @returns {{ found: Found[], missing: Requirement[] }} */
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
