// Puts the files of the docs page into dist, compressed: those of Swagger UI that it needs, and our own. Swagger UI comes
// along this way instead of as a dependency, since installing that one reports to a third party.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const target = join(home, 'dist', 'ui', 'assets')

/** Swagger UI keeps pictures inside its style sheet, which a strict policy forbids: here they are files. */
const pictures = /url\("?data:image\/(svg\+xml|png|jpeg)(;charset=utf-8|;base64)?,((?:\\"|[^")])*?(?:<\/svg>)?)"?\)/g

const scripts = ['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => join(swaggerUi, name))
const own = readdirSync(join(home, 'browser')).map((name) => join(home, 'browser', name))

mkdirSync(target, { recursive: true })
for (const source of [...scripts, ...own]) {
  const file = join(target, `${basename(source)}.gz`)
  if (isCurrent(file, source)) continue
  // The bundle names a map that is not shipped.
  const text = readFileSync(source, 'utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n')
  writeFileSync(file, gzipSync(file.endsWith('.css.gz') ? text.replaceAll(pictures, writePicture) : text, { level: 9 }))
}
for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
  const file = join(target, name.startsWith('swagger-ui') ? name : `swagger-ui.${name}.txt`)
  if (!isCurrent(file, join(swaggerUi, name))) copyFileSync(join(swaggerUi, name), file)
}

/** @param {string} file @param {string} source */
function isCurrent(file, source) {
  return existsSync(file) && statSync(file).mtimeMs >= statSync(source).mtimeMs
}

/** @param {string} _ @param {string} type @param {string} encoding @param {string} data */
function writePicture(_, type, encoding, data) {
  const content = encoding === ';base64' ? Buffer.from(data, 'base64') : decodeURIComponent(data.replaceAll('\\"', '"'))
  const name = `picture-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${type === 'svg+xml' ? 'svg' : type}`
  writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }))
  return `url(${name})`
}
