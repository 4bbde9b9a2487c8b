import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { makeFolder } from './support/demo.ts'

/** Runs `portico` in the app's folder, on data of the test's own. */
async function portico(...args: string[]): Promise<string> {
  const env = { ...process.env, PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: '' }
  const command = [join(root, 'packages', 'cli', 'bin', 'portico.js'), ...args]
  return (await promisify(execFile)(process.execPath, command, { cwd: join(root, 'apps', 'demo'), env })).stdout
}

it('portico sync --plan shows what a new database would get', async () => {
  const plan = await portico('sync', '--plan')
  for (const table of ['projects', 'tasks', 'tags', 'task_tags', 'stars'])
    expect(plan).toContain(`create table ${table}\n`)
})

it('portico spec describes the app without starting it', async () => {
  const { info, paths } = JSON.parse(await portico('spec')) as { info: object; paths: Record<string, unknown> }
  expect(info).toMatchObject({ title: 'Task tracker' })
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/board', '/tasks/query', '/stars', '/auth/token']))
})
