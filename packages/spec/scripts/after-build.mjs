// Puts the files of the docs page into dist, compressed: those of Swagger UI that it needs, and our own. Swagger UI comes
// along this way instead of as a dependency, since installing that one reports to a third party.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const target = join(home, 'dist', 'ui', 'assets')

const scripts = ['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => join(swaggerUi, name))
const own = readdirSync(join(home, 'browser')).map((name) => join(home, 'browser', name))

mkdirSync(target, { recursive: true })
for (const source of [...scripts, ...own]) {
  const file = join(target, `${basename(source)}.gz`)
  if (isCurrent(file, source)) continue
  // The bundle names a map that is not shipped.
  const text = readFileSync(source, 'utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n')
  writeFileSync(file, gzipSync(text, { level: 9 }))
}
for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
  const file = join(target, name.startsWith('swagger-ui') ? name : `swagger-ui.${name}.txt`)
  if (!isCurrent(file, join(swaggerUi, name))) copyFileSync(join(swaggerUi, name), file)
}

/** @param {string} file @param {string} source */
function isCurrent(file, source) {
  return existsSync(file) && statSync(file).mtimeMs >= statSync(source).mtimeMs
}
