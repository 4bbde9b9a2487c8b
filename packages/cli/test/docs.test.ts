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
  it('has usage and examples that it accepts', async () => {
    const help = await readHelp(name)
    expect(help).toMatch(new RegExp(`^Usage: portico ${name} `))
    const [, examples = ''] = help.match(/^Examples:\n([\s\S]+)/m) ?? []
    await expectUnderstood([...examples.matchAll(/portico (.*?)(?: {2,}.*|[<)|].*)?$/gm)], 1)
  })

  it('is in the README', () => {
    expect(readme).toContain(`npx portico ${name}`)
  })
})

it('every call in the README is accepted', async () => {
  await expectUnderstood([...readme.matchAll(/^npx portico (.*?) *(?:[#|].*)?$/gm)], commands.length)
})

/** With --help nothing runs, but unknown commands and options are still refused. */
async function expectUnderstood(calls: readonly RegExpMatchArray[], atLeast: number): Promise<void> {
  expect(calls.length).toBeGreaterThanOrEqual(atLeast)
  for (const [, args = ''] of calls) {
    const given = args.split(' -- ')[0]!.split(' ')
    expect(await readHelp(...given), args).toContain('Usage: portico ')
  }
}
