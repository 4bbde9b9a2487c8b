// `npm run changeset:preview` prints what .changeset/ adds to CHANGELOG.md. `npm run changeset:version` writes it there
// under the next version, gives that version to all packages and removes the entries.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, runExtraTool, runScript } from './run.mjs'

/** @typedef {{ packages: string[], bump: 'major' | 'minor' | 'patch', text: string }} Change */

const headings = { major: 'Breaking changes', minor: 'New and changed', patch: 'Fixed' }

/**
 * Reads one entry: which packages it concerns, and its text.
 * @param {string} source
 * @returns {Change}
 */
export function readChange(source) {
  const [, head = '', text = ''] = source.match(/^---\n([\s\S]*?)\n---\n([\s\S]*)$/) ?? []
  const lines = [...head.matchAll(/^['"]?([^'":]+)['"]?: (major|minor|patch)$/gm)]
  if (lines.length === 0 || text.trim() === '') throw new Error('a changeset names its packages and has a text')
  const bumps = lines.map(([, , bump]) => bump)
  const bump = /** @type {const} */ (['major', 'minor', 'patch']).find((it) => bumps.includes(it)) ?? 'patch'
  return { packages: lines.map(([, name = '']) => name), bump, text: text.trim().replaceAll(/\s*\n\s*/g, ' ') }
}

/**
 * The changes as Markdown, grouped by what they mean for a user.
 * @param {Change[]} changes
 */
export function formatChanges(changes) {
  const bumps = /** @type {const} */ (['major', 'minor', 'patch'])
  return bumps
    .flatMap((bump) => {
      const own = changes.filter((it) => it.bump === bump)
      const lines = own.map(({ packages, text }) => `- ${packages.map(shortName).join(', ')}: ${text}`).toSorted()
      return lines.length === 0 ? [] : [`### ${headings[bump]}\n\n${lines.join('\n')}\n`]
    })
    .join('\n')
}

/** @param {string} name */
function shortName(name) {
  return `**${name.replace('@portico/', '')}**`
}

/** @returns {Change[]} */
export function readChanges() {
  const folder = join(root, '.changeset')
  const files = readdirSync(folder).filter((it) => it.endsWith('.md') && it !== 'README.md')
  return files.map((it) => readChange(readFileSync(join(folder, it), 'utf8')))
}

function release() {
  const section = formatChanges(readChanges())
  const code = runExtraTool('@changesets/cli/bin.js', ['version'])
  if (code !== 0) return code
  const { version } = JSON.parse(readFileSync(join(root, 'packages', 'login', 'package.json'), 'utf8'))
  const file = join(root, 'CHANGELOG.md')
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('\n## ', `\n## ${version} (${day})\n\n${section}\n## `))
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
  })
  return status || runScript('complete-lockfile.mjs', [])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--release')) process.exitCode = release()
  else console.log(formatChanges(readChanges()))
}
