import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

// Packages that do not depend on each other share small sources by copy: `shared/` holds the one that is edited.

/** The shared sources that each member uses. Sources that these import come along. */
const users = {
  'packages/login': ['options', 'url-checks'],
  'packages/identity': ['find-option-problem', 'loopback', 'objects', 'url-checks'],
  'packages/schema': ['suggest'],
  'packages/db': ['count', 'find-option-problem', 'objects'],
  'packages/http': ['find-option-problem', 'objects', 'option-aliases'],
  'packages/spec': ['find-option-problem', 'objects', 'option-aliases'],
  'packages/auth-server': ['find-option-problem', 'html'],
  'packages/cli': ['count', 'find-option-problem', 'loopback', 'objects'],
  'apps/demo': ['html'],
}

/** @returns {Map<string, string>} the text of every copy, by its path from the root */
export function listCopies() {
  const copies = new Map()
  for (const [folder, names] of Object.entries(users)) {
    for (const name of withImports(names)) {
      const header = `// Copied from shared/${name}.ts by \`npm run copies\`; edit it there.\n`
      copies.set(`${folder}/src/shared/${name}.ts`, header + readShared(name))
    }
  }
  return copies
}

/** @returns {string[]} copies that differ from their source, are missing, or are no longer used */
export function findStaleCopies() {
  const copies = listCopies()
  const stale = [...copies].filter(([path, text]) => !existsSync(join(root, path)) || readText(path) !== text)
  return [...stale.map(([path]) => path), ...listPresent().filter((path) => !copies.has(path))]
}

function writeCopies() {
  const copies = listCopies()
  for (const path of listPresent()) if (!copies.has(path)) rmSync(join(root, path))
  for (const [path, text] of copies) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** @param {readonly string[]} names */
function withImports(names) {
  const all = new Set(names)
  // Iterating over a set includes entries that are added meanwhile.
  for (const name of all)
    for (const [, imported] of readShared(name).matchAll(/ from '\.\/([\w-]+)\.ts'/g)) all.add(imported)
  return [...all].sort()
}

function listPresent() {
  return Object.keys(users).flatMap((folder) => {
    const shared = `${folder}/src/shared`
    return existsSync(join(root, shared)) ? readdirSync(join(root, shared)).map((name) => `${shared}/${name}`) : []
  })
}

/** @param {string} name */
function readShared(name) {
  return readText(`shared/${name}.ts`)
}

/** @param {string} path */
function readText(path) {
  return readFileSync(join(root, path), 'utf8')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeCopies()
