import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listCommands, pages, readHelp } from '../../../scripts/docs/cli.ts'
import { root } from '../../../scripts/run.mjs'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const readme = read('packages/cli/README.md')
const commands = await listCommands()

it('the reference is current', async () => {
  for (const [path, text] of Object.entries(await pages())) expect(read(path), 'run `npm run docs -- cli`').toBe(text)
})

describe.each(commands)('portico %s', (name) => {
  it('says how it is called, with examples that it understands', async () => {
    const help = await readHelp(name)
    expect(help).toMatch(new RegExp(`^Usage: portico ${name} `))
    const [, examples = ''] = help.match(/^Examples:\n([\s\S]+)/m) ?? []
    await expectUnderstood([...examples.matchAll(/portico (.*?)(?: {2,}.*|[<)|].*)?$/gm)], 1)
  })

  it('is in the README', () => {
    expect(readme).toContain(`npx portico ${name}`)
  })
})

it('every call in the README is understood', async () => {
  await expectUnderstood([...readme.matchAll(/^npx portico (.*?) *(?:[#|].*)?$/gm)], commands.length)
})

/** With --help nothing is done, but a command or an option that is not there is refused all the same. */
async function expectUnderstood(calls: readonly RegExpMatchArray[], atLeast: number): Promise<void> {
  expect(calls.length).toBeGreaterThanOrEqual(atLeast)
  for (const [, args = ''] of calls) {
    const given = args.split(' -- ')[0]!.split(' ')
    expect(await readHelp(...given), args).toContain('Usage: portico ')
  }
}
