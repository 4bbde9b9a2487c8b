// Writes the reference page of the describing decorators, and takes the pictures of the docs page.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as spec from '@portico/spec'
import type { BrowserContextOptions } from 'playwright-core'
import { openScene } from '../../apps/demo/test/support/scene.ts'
import { tokenOf } from '../../apps/demo/test/support/visitor.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { root } from '../run.mjs'

/** The targets of each decorator, in the order of the page. */
const targets: Record<string, string> = {
  SpecTag: 'controller, handler',
  Label: 'controller, handler, parameter, body',
  Description: 'controller, handler, parameter, body',
  SpecDescription: 'handler',
  SpecOperationId: 'handler',
  Id: 'handler',
  SpecDeprecated: 'controller, handler',
  SpecExclude: 'controller, handler',
  SpecExternalDocs: 'handler',
  Optional: 'parameter, body',
  Required: 'parameter, body',
  SpecResponse: 'controller, handler',
  SpecParam: 'controller, handler',
  SpecExample: 'handler, parameter, body',
  SpecSecurity: 'controller, handler',
  SpecPublic: 'controller, handler',
}

const made = '<!-- Made by `npm run docs -- spec`. Edits here are lost. -->'

/** The pages by their paths, as they should be now. */
export function pages(): Record<string, string> {
  return { 'docs/reference/decorators.md': decoratorsPage() }
}

export async function run(): Promise<string[]> {
  const written = Object.entries(pages())
  for (const [path, text] of written) writeFileSync(join(root, path), text)
  return [...written.map(([path]) => path), ...(await takePictures())]
}

function decoratorsPage(): string {
  const documented = {
    ...readFunctions('packages/http/src/decorators/describe.ts'),
    ...readFunctions('packages/spec/src/decorators.ts'),
  }
  const exported = Object.keys(spec).filter((name) => name in documented)
  const missing = exported.filter((name) => !(name in targets))
  if (missing.length > 0) throw new Error(`say what ${missing.join(', ')} belong on`)
  const rows = Object.entries(targets).map(([name, places]) => {
    const { parameters, about } = documented[name]!
    return `| \`@${name}(${parameters})\` | ${places} | ${about} |`
  })
  const keys = [...readText('packages/spec/src/spec-mate.ts').matchAll(/^ {2}readonly (spec\w+)\?: (.+)$/gm)]
  const errors = Object.entries(spec.specErrorCodes).map(([code, about]) => `| \`${code}\` | ${about} |`)
  return `${made}

# Decorators of the API description

Import them from \`@portico/spec\`. It exports \`Label\`, \`Description\`, \`Id\`, \`Optional\` and \`Required\` of
\`@portico/http\`, too. [The guide](../guide/api-docs.md) shows them in use.

| decorator | on | what it does |
|---|---|---|
${rows.join('\n')}

- The operation id comes from \`@SpecOperationId\`, otherwise from \`@Id\`. Without either, it is made from method and path:
  \`GET /users/{id}\` becomes \`GET__users___id__\`. Ids must be unique.
- The description comes from \`@SpecDescription\`, otherwise from \`@Description\`.
- A decorator on a handler overrides the same one on its controller. Tags, responses and parameters are combined, the controller's first.
- On a controller, \`@Label\` and \`@Description\` describe its first tag if that has no description of its own.
- \`@Optional\` on a path parameter is an error: a path without the parameter is another route.

## Decorators of your own

\`getSpecMate()\` returns the metadata store that all decorators write to. \`decorate(key, value)\` creates a decorator that sets a key,
and \`decorate(key, value, true)\` one that appends to the list under the key. \`apply(…)\` combines several decorators into one, as if
they were stacked in that order.

\`\`\`ts
import { getSpecMate } from '@portico/spec'

const mate = getSpecMate()
export const Legacy = () => mate.apply(mate.decorate('specTags', 'legacy', true), mate.decorate('specDeprecated', true))
\`\`\`

| key | holds |
|---|---|
${keys.map(([, name, type]) => `| \`${name}\` | \`${type}\` |`).join('\n')}
| \`label\`, \`description\`, \`id\` | \`string\` |
| \`optional\`, \`required\` | \`boolean\` |

## Errors

A mistake in the description is a \`SpecError\` when the app starts, or when \`createSpec\` is called.

| code | meaning |
|---|---|
${errors.join('\n')}
`
}

interface Documented {
  readonly parameters: string
  readonly about: string
}

/** The exported functions of a source file with their parameters and what their comments say. */
function readFunctions(file: string): Record<string, Documented> {
  const functions = readText(file).matchAll(/\/\*\*([\s\S]*?)\*\/\nexport function (\w+)\(([^)]*)\)/g)
  return Object.fromEntries(
    [...functions].map(([, comment = '', name, parameters = '']) => [
      name,
      {
        parameters: nameParameters(parameters),
        about: comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim(),
      },
    ]),
  )
}

/** `status: number, options: Options = {}` as `status, options?`. */
function nameParameters(parameters: string): string {
  const starts = [...parameters.matchAll(/(\w+)(\?)?:/g)]
  return starts
    .map(({ 1: name, 2: mark, index }, position) => {
      const text = parameters.slice(index, starts[position + 1]?.index)
      return `${name}${mark ?? (/ = /.test(text) ? '?' : '')}`
    })
    .join(', ')
}

function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 375, height: 700 }, deviceScaleFactor: 2, isMobile: true },
}

/** The docs page of the task tracker as a whole, and one operation tried out. */
async function takePictures(): Promise<string[]> {
  const images = join(root, 'docs', 'images')
  await mkdir(images, { recursive: true })
  await using scene = await openScene(undefined, 3000)
  const token = await tokenOf(scene.address, 'ada')
  const browser = await launchChromium()
  const written: string[] = []
  try {
    for (const [look, options] of Object.entries(looks)) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await page.goto(`${scene.address}/api-docs`)
      const operation = page.locator('#operations-board-GET__board')
      await operation.waitFor()
      const shoot = async (name: string): Promise<void> => {
        const path = join(images, `api-docs-${name}${look}.png`)
        await page.screenshot({ path })
        written.push(relative(root, path))
      }
      await shoot('')
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      await page.getByLabel('auth-bearer-value').fill(token)
      await page.getByRole('button', { name: 'Apply credentials' }).click()
      await page.getByRole('button', { name: 'Close' }).first().click()
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.try-out__btn').click()
      await operation.locator('button.execute').click()
      await operation.locator('.live-responses-table').waitFor()
      await operation.evaluate((it) => it.scrollIntoView())
      await shoot('tried-')
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return written
}
