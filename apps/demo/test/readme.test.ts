import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder, startDemo } from './support/demo.ts'
import { findPort } from './support/scene.ts'
import { openTerminal } from './support/terminal.ts'
import { Visitor } from './support/visitor.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const shellBlocks = [...readme.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, text = '']) =>
  text.split('\n').flatMap((line) => line.replace(/ {2,}#.*/, '').trim() || []),
)

it('contains only commands that this test runs, and those for a new app', () => {
  expect(shellBlocks.map((it) => it.map((line) => line.split(' ').slice(0, 3).join(' ')))).toEqual([
    ['npm start', 'npm test'],
    ['npx portico login', 'npx portico whoami', 'npx portico whoami'],
    ['cd apps/demo', 'npx portico check', 'npx portico sync', 'npx portico spec'],
    ['npm run pack:all', 'npx portico init', 'cd ../notes', 'npm install ../portico/packs/*.tgz', 'npm run dev'],
  ])
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [, name = ''] of readme.matchAll(/`npm (?:run )?(start|test|pack:all)\b/g))
    expect(scripts).toHaveProperty(name)
})

it('the tour in the terminal works as described', async () => {
  const [, [login = '', whoami = '', curl = ''] = []] = shellBlocks
  const home = makeFolder()
  const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: makeFolder() })
  const address = await demo.address
  const at = (command: string): string => command.replaceAll('http://127.0.0.1:3000', address)
  const run = (command: string): Promise<{ stdout: string }> =>
    promisify(execFile)('bash', ['-c', at(command)], { cwd: root, env: { ...process.env, XDG_CONFIG_HOME: home } })

  const [, , ...args] = at(login).split(' ')
  const terminal = openTerminal(home, ...args)
  const [, shown = ''] = await terminal.until(/^ {2}(http\S+)\r$/m)
  const visitor = new Visitor(address)
  await visitor.signIn('ada')
  expect((await visitor.allow(shown)).status).toBe(200)
  expect(await terminal.ended).toBe(0)

  expect((await run(whoami)).stdout).toContain(`Signed in to ${address} as Ada Lovelace, until`)
  expect(JSON.parse((await run(curl)).stdout)).toHaveLength(3)
  expect((await run('npx portico logout')).stdout).toContain('Signed out')
}, 90_000)

it('the commands of portico work on the app', async () => {
  const [, , commands = []] = shellBlocks
  const env = { ...process.env, PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands.join('\n')], { cwd: root, env })
  expect(stdout).toContain('create table task_tags')
  expect(stdout).toContain('title: Task tracker')
}, 60_000)

it('shows a picture that exists', () => {
  for (const [, path = ''] of readme.matchAll(/!\[.*?\]\((.*?)\)/g)) expect(existsSync(join(root, path))).toBe(true)
})
