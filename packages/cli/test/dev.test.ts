import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { killGroup } from '../dist/dev/kill-group.js'
import { makeFolder, type RunningPortico, startPortico } from './support/cli.ts'

const table = (more = '') => `@db.table 'notes'\nexport interface Note {\n  @meta.id\n  id: number\n${more}}\n`

/** A program that keeps running, prints its process id and arguments, and says goodbye. */
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
  it('generates, shows the sync plan, runs TypeScript, and restarts after each change', async () => {
    const folder = makeApp()
    const running = startPortico(folder, 'dev', '--', '--port', '1')
    const first = await running.until('starting main.ts')
    expect(first).toContain('wrote notes.portico.ts')
    expect(first).toMatch(/a sync would make these changes to the database:\n {2}additive +create table notes/)
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
    // Its own output does not count as a change.
    expect(running.seen).not.toContain('notes.portico.ts changed')
  }, 120_000)

  it('shows a crash and restarts after the next change', async () => {
    const folder = makeApp({ 'main.ts': `throw new Error('no luck')` })
    const running = startPortico(folder, 'dev')
    const crash = await running.until('it restarts after the next change')
    expect(crash).toMatch(/main\.ts:1[\s\S]*Error: no luck/)
    expect(crash).toContain('the program exited with code 1')
    writeFileSync(join(folder, 'main.ts'), program('better'))
    await greeted(running, 'better')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('keeps the program running while the schema has errors', async () => {
    const folder = makeApp()
    const running = startPortico(folder, 'dev')
    const pid = await greeted(running, 'hello')
    writeFileSync(join(folder, 'notes.portico'), table('  title: Nope\n'))
    await running.until('unknown type `Nope`')
    expect(await running.until('restarts once the schema is fixed')).not.toContain('starting')
    expect(isRunning(pid)).toBe(true)
    expect(readFileSync(join(folder, 'notes.portico.ts'), 'utf8')).not.toContain('title')
    writeFileSync(join(folder, 'notes.portico'), table('  title: Neither\n'))
    expect(await running.until('unknown type `Neither`')).not.toContain('goodbye')
    writeFileSync(join(folder, 'notes.portico'), table('  title: string\n'))
    expect(await running.until('wrote notes.portico.ts')).not.toContain('goodbye')
    expect(await greeted(running, 'hello')).not.toBe(pid)
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('treats a burst of changes as one and ignores what the program writes', async () => {
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

  it('leaves nothing running, not even a program that ignores signals or its children', async () => {
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

  it('ends the children of a program that exits on its own', async () => {
    const leaving = `import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'console.log("child", process.pid, ""); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
setTimeout(() => process.exit(3), 1000)
`
    const running = startPortico(makeApp({ 'main.ts': leaving }), 'dev')
    await running.until('child ')
    const child = Number((await running.until(' ')).trim())
    await running.until('the program exited with code 3')
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
      'that ignores signals',
      `${stubbornChild}process.on('SIGTERM', () => console.log('never'))\nsetInterval(() => {}, 1000)`,
      'never',
    ],
  ])(
    'ends a program %s and its children, even if dev itself is killed',
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

  it('does not interfere with processes that the program forks', async () => {
    const forking = `import { fork } from 'node:child_process'
fork(import.meta.dirname + '/worker.ts').on('message', (text) => console.log('the worker says', text))
`
    const worker = `process.send?.('hello')\nprocess.once('message', () => {})\n`
    const running = startPortico(makeApp({ 'main.ts': forking, 'worker.ts': worker }), 'dev')
    await running.until('the worker says hello')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('ends on Ctrl-C even while a database does not respond', async () => {
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

  it('applies configuration changes: another program, another schema, and an error', async () => {
    const folder = makeApp({ 'other.ts': program('other'), 'portico.config.ts': config })
    const running = startPortico(folder, 'dev')
    const one = await greeted(running, 'hello')
    const path = join(folder, 'portico.config.ts')
    writeFileSync(path, `${config}oops(`)
    const broken = await running.until('until the configuration is fixed')
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
    await running.until('schema path nowhere does not exist: fix schema in portico.config.ts')
    expect(await running.interrupt()).toBe(0)
    expect((await running.ended()).text).not.toContain('starting')
  }, 120_000)

  it('loads the imports of the configuration again', async () => {
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

    // A failed configuration is loaded again once it is fixed.
    write('deeper.ts', 'oops(')
    write('portico.config.ts', importing.replace('nothing', 'no table'))
    expect(await running.until('until the configuration is fixed')).not.toContain('goodbye')
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

  it('starts the program even if the database cannot be opened', async () => {
    const folder = makeApp({ 'portico.config.mjs': config.replace('/app.db', '/none/app.db') })
    const running = startPortico(folder, 'dev')
    expect(await running.until('starting main.ts')).toContain('no sync plan: ')
    await greeted(running, 'hello')
    expect(await running.interrupt()).toBe(0)
  }, 120_000)

  it('refuses a configuration without main', async () => {
    const folder = makeApp({ 'portico.config.mjs': 'export default {}' })
    expect(await startPortico(folder, 'dev').ended()).toMatchObject({
      code: 2,
      text: expect.stringContaining('has no main'),
    })
    expect(await startPortico(folder, 'dev', '--json').ended()).toMatchObject({ code: 2 })
  })
})
