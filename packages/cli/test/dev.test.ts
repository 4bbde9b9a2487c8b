import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { killGroup } from '../dist/dev/ending.js'
import { makeFolder, type RunningPortico, startPortico } from './support/cli.ts'

const table = (more = '') => `@db.table 'notes'\nexport interface Note {\n  @meta.id\n  id: number\n${more}}\n`

/** A program that stays, tells its process and its arguments, and says goodbye. */
const program = (greeting: string, more = '') => `import { Note } from './notes.portico.js'
const greeting: string = '${greeting}'
console.log(greeting, process.pid, Note.columns.length, process.argv.slice(2).join())
process.on('SIGTERM', () => { console.log('goodbye'); process.exit() })
setInterval(() => {}, 1000)
${more}`

const config = `import { sqlite } from '@portico/db/sqlite'
export default { main: 'main.ts', database: () => sqlite({ file: import.meta.dirname + '/app.db' }) }
`

function makeApp(files: Readonly<Record<string, string>> = {}): string {
  const folder = makeFolder({
    'package.json': '{ "type": "module" }',
    'portico.config.mjs': config,
    'notes.portico': table(),
    'main.ts': program('hello'),
    ...files,
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

/** The process of the program that has just greeted. */
async function greeted(running: RunningPortico, greeting: string): Promise<number> {
  await running.until(`${greeting} `)
  return Number((await running.until(' ')).trim())
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('portico dev', () => {
  it('generates, shows the sync plan, runs TypeScript, and starts again after each change', async () => {
    const folder = makeApp()
    const running = startPortico(folder, 'dev', '--', '--port', '1')
    const first = await running.until('starting main.ts')
    expect(first).toContain('wrote notes.portico.ts')
    expect(first).toMatch(/a sync of the database would do this:\n {2}additive +create table notes/)
    const one = await greeted(running, 'hello')
    await running.until('1 --port,1')

    writeFileSync(join(folder, 'main.ts'), program('welcome'))
    const second = await running.until('starting main.ts')
    expect(second).toContain('main.ts changed')
    expect(second).toContain('goodbye')
    expect(second).not.toContain('sync')
    const two = await greeted(running, 'welcome')
    expect(isRunning(one)).toBe(false)

    writeFileSync(join(folder, 'notes.portico'), table('  title: string\n'))
    const third = await running.until('starting main.ts')
    expect(third).toContain('wrote notes.portico.ts')
    const three = await greeted(running, 'welcome')
    await running.until('2 --port,1')
    expect(isRunning(two)).toBe(false)

    expect(await running.interrupt()).toBe(0)
    const { text } = await running.ended()
    expect(text).toContain('goodbye')
    expect(text).not.toContain('starting')
    expect(isRunning(three)).toBe(false)
    // What it wrote itself is no change.
    expect(running.seen).not.toContain('notes.portico.ts changed')
  }, 120_000)

  it('shows a crash, and starts again after the next change', async () => {
    const folder = makeApp({ 'main.ts': `throw new Error('no luck')` })
    const running = startPortico(folder, 'dev')
    const crash = await running.until('it starts again after the next change')
    expect(crash).toMatch(/main\.ts:1[\s\S]*Error: no luck/)
    expect(crash).toContain('the program ended with code 1')
    writeFileSync(join(folder, 'main.ts'), program('better'))
    await greeted(running, 'better')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('lets the program be while the schema has errors', async () => {
    const folder = makeApp()
    const running = startPortico(folder, 'dev')
    const pid = await greeted(running, 'hello')
    writeFileSync(join(folder, 'notes.portico'), table('  title: Nope\n'))
    await running.until('unknown type `Nope`')
    expect(await running.until('until the schema is mended')).not.toContain('starting')
    expect(isRunning(pid)).toBe(true)
    expect(readFileSync(join(folder, 'notes.portico.ts'), 'utf8')).not.toContain('title')
    writeFileSync(join(folder, 'notes.portico'), table('  title: Neither\n'))
    expect(await running.until('unknown type `Neither`')).not.toContain('goodbye')
    writeFileSync(join(folder, 'notes.portico'), table('  title: string\n'))
    expect(await running.until('wrote notes.portico.ts')).not.toContain('goodbye')
    expect(await greeted(running, 'hello')).not.toBe(pid)
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('takes a burst of changes as one, and what the program writes as none', async () => {
    const busy = `import { writeFileSync } from 'node:fs'\nwriteFileSync(import.meta.dirname + '/state.json', String(process.pid))`
    const folder = makeApp({ 'main.ts': program('hello', busy) })
    const running = startPortico(folder, 'dev')
    await greeted(running, 'hello')
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.ts`), `export const ${name} = 1\n`)
    await greeted(running, 'hello')
    writeFileSync(join(folder, 'main.ts'), program('last'))
    const pid = await greeted(running, 'last')
    expect(await running.interrupt()).toBe(0)
    expect((await running.ended()).text).not.toContain('starting')
    expect(isRunning(pid)).toBe(false)
  }, 120_000)

  it('leaves nothing running: neither a program that will not end nor what it started', async () => {
    const stubborn = `import { spawn } from 'node:child_process'
process.on('SIGTERM', () => {})
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("child", process.pid, "")'], { stdio: 'inherit' })
setInterval(() => {}, 1000)
console.log('parent', process.pid, '')
`
    const folder = makeApp({ 'main.ts': stubborn })
    const running = startPortico(folder, 'dev')
    await running.until('starting')
    await running.until('child ')
    const child = Number((await running.until(' ')).trim())
    expect(isRunning(child)).toBe(true)
    // Its output closes only with the last process that holds it.
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('ends what a program leaves behind that ends by itself', async () => {
    const leaving = `import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'console.log("child", process.pid, ""); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
setTimeout(() => process.exit(3), 1000)
`
    const running = startPortico(makeApp({ 'main.ts': leaving }), 'dev')
    await running.until('child ')
    const child = Number((await running.until(' ')).trim())
    await running.until('the program ended with code 3')
    await expect.poll(() => isRunning(child)).toBe(false)
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  const stubbornChild = `import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("child of", process.ppid, "")'], { stdio: 'inherit' })
`
  it.each([
    ['that says goodbye', program('hello', stubbornChild), 'goodbye'],
    ['that does not listen', `${stubbornChild}setInterval(() => {}, 1000)`, ''],
    [
      'that will not end',
      `${stubbornChild}process.on('SIGTERM', () => console.log('never'))\nsetInterval(() => {}, 1000)`,
      'never',
    ],
  ])(
    'ends a program %s, with what it started, also where it is killed outright',
    async (_, main, last) => {
      const running = startPortico(makeApp({ 'main.ts': main }), 'dev')
      await running.until('child of ')
      const group = Number((await running.until(' ')).trim())
      onTestFinished(() => killGroup(group, 'SIGKILL'))
      await running.kill()
      expect((await running.ended()).text.trimEnd().endsWith(last)).toBe(true)
    },
    60_000,
  )

  it('does not get in the way of what the program forks', async () => {
    const forking = `import { fork } from 'node:child_process'
fork(import.meta.dirname + '/worker.ts').on('message', (text) => console.log('the worker says', text))
`
    const worker = `process.send?.('hello')\nprocess.once('message', () => {})\n`
    const running = startPortico(makeApp({ 'main.ts': forking, 'worker.ts': worker }), 'dev')
    await running.until('the worker says hello')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('ends on Ctrl-C also while a database does not answer', async () => {
    const silent = `const open = () => new Promise(() => {
  console.log('opening')
  setTimeout(() => console.log('still waiting'), 9000)
})
export default { main: 'main.ts', database: { open } }
`
    const running = startPortico(makeApp({ 'portico.config.mjs': silent }), 'dev')
    await running.until('opening')
    expect(await running.interrupt()).toBe(0)
    // Without being asked to end it would wait ten seconds for the database.
    expect(running.seen).not.toContain('still waiting')
    expect(running.seen).not.toContain('starting')
  }, 120_000)

  it('follows its configuration: another program, another schema, and a mistake in it', async () => {
    const folder = makeApp({ 'other.ts': program('other'), 'portico.config.ts': config })
    const running = startPortico(folder, 'dev')
    const one = await greeted(running, 'hello')
    const path = join(folder, 'portico.config.ts')
    writeFileSync(path, `${config}oops(`)
    const broken = await running.until('until the configuration is mended')
    expect(broken).toContain('portico.config.ts failed: ')
    expect(broken).not.toContain('goodbye')
    expect(isRunning(one)).toBe(true)

    writeFileSync(path, config.replace('main.ts', 'other.ts'))
    expect(await running.until('starting other.ts')).toContain('goodbye')
    await greeted(running, 'other')

    mkdirSync(join(folder, 'more'))
    writeFileSync(join(folder, 'more/pens.portico'), table().replace('notes', 'pens').replace('Note', 'Pen'))
    const both = await running.until('starting other.ts')
    for (const name of ['notes', 'pens']) expect(both).toContain(`create table ${name}`)
    writeFileSync(path, config.replace("'main.ts'", "'other.ts', schema: 'more'"))
    const less = await running.until('starting other.ts')
    expect(less).toContain('create table pens')
    expect(less).not.toContain('create table notes')

    writeFileSync(path, config.replace("'main.ts'", "'other.ts', schema: 'nowhere'"))
    await running.until('schema names nowhere, which is not there: mend it in portico.config.ts')
    expect(await running.interrupt()).toBe(0)
    expect((await running.ended()).text).not.toContain('starting')
  }, 120_000)

  it('reads anew what its configuration imports', async () => {
    const place = (name: string) => `export const place: string = '${name}'\n`
    const importing = `import { place } from './place.js'
export default { main: 'main.ts', database: () => { throw new Error('nothing at ' + place) } }
`
    const folder = makeApp({
      'portico.config.ts': importing,
      'place.ts': `export { place } from './deeper.js'\n`,
      'deeper.ts': place('first'),
    })
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
    const running = startPortico(folder, 'dev')
    expect(await running.until('starting')).toContain('nothing at first')
    write('deeper.ts', place('second'))
    expect(await running.until('starting')).not.toContain('nothing at')
    write('notes.portico', table('  title: string\n'))
    expect(await running.until('starting')).toContain('nothing at second')

    // What was broken when the configuration changed is tried again once it is mended.
    write('deeper.ts', 'oops(')
    write('portico.config.ts', importing.replace('nothing', 'no table'))
    expect(await running.until('until the configuration is mended')).not.toContain('goodbye')
    write('deeper.ts', place('third'))
    expect(await running.until('starting')).toContain('no table at third')

    // All at once, as after a change of branches: the configuration needs a module that is yet to be generated.
    write(
      'portico.config.ts',
      `import { Pen } from './pens.portico.js'\n${importing.replace('place)', 'typeof Pen.columns)')}`,
    )
    write('pens.portico', table().replace('notes', 'pens').replace('Note', 'Pen'))
    const both = await running.until('nothing at object')
    expect(both).toContain('wrote pens.portico.ts')
    expect(both).not.toContain('failed: Cannot find')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('goes on without a database that cannot be opened', async () => {
    const folder = makeApp({ 'portico.config.mjs': config.replace('/app.db', '/none/app.db') })
    const running = startPortico(folder, 'dev')
    expect(await running.until('starting main.ts')).toContain('there is no sync plan: ')
    await greeted(running, 'hello')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('refuses a configuration that names no program', async () => {
    const folder = makeApp({ 'portico.config.mjs': 'export default {}' })
    expect(await startPortico(folder, 'dev').ended()).toMatchObject({
      code: 2,
      text: expect.stringContaining('names no main'),
    })
    expect(await startPortico(folder, 'dev', '--json').ended()).toMatchObject({ code: 2 })
  })
})
