import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder, startDemo } from './support/demo.ts'
import { findPort } from './support/scene.ts'

/** Runs `portico` in the app's folder, on data of the test's own. */
async function portico(data: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PORTICO_DEMO_DATA: data, PORTICO_DATABASE_URL: '' }
  const command = [join(root, 'packages', 'cli', 'bin', 'portico.js'), ...args]
  return (await promisify(execFile)(process.execPath, command, { cwd: join(root, 'apps', 'demo'), env })).stdout
}

it('portico sync --plan shows the steps for a new database', async () => {
  const plan = await portico(makeFolder(), 'sync', '--plan')
  for (const table of ['projects', 'tasks', 'tags', 'task_tags', 'stars'])
    expect(plan).toContain(`create table ${table}\n`)
})

it('portico sync --check finds no difference after the app has started', async () => {
  const data = makeFolder()
  const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: data })
  await demo.address
  await demo.stop()
  expect(await portico(data, 'sync', '--check')).toBe('the database is up to date\n')
})

it('portico spec describes the app without starting it', async () => {
  const { info, paths } = JSON.parse(await portico(makeFolder(), 'spec')) as {
    info: object
    paths: Record<string, unknown>
  }
  expect(info).toMatchObject({ title: 'Task tracker' })
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/board', '/tasks/query', '/stars', '/auth/token']))
})
