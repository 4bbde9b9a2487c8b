import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-demo-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs the program on a file of this test, and finds out where the tracker is. */
async function startDemo() {
  const env = {
    ...process.env,
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    PORTICO_DEMO_FILE: join(folder, 'data', 'tracker.db'),
  }
  const child = spawn(process.execPath, [main, '--no-browser'], { env })
  const closed = once(child, 'close') as Promise<[number]>
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const [, found] = output.match(/^The task tracker runs at (http\S+)\. Try:$/m) ?? []
        if (found) resolve(found)
      })
    }
    void closed.then(() => reject(new Error(`ended without an address:\n${output}`)))
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      return (await closed)[0]
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json()
}

it('answers what it says to try', async () => {
  await using demo = await startDemo()
  const { url } = demo
  expect(await get(`${url}/board`)).toEqual([
    { project: 'House', open: 1, doing: 0, done: 1 },
    { project: 'Trip', open: 0, doing: 1, done: 0 },
  ])
  expect(await get(`${url}/board?project=Trip`)).toHaveLength(1)
  expect(await get(`${url}/tasks/query?state=open&$with=project`)).toMatchObject([
    { title: 'Paint the door', project: { name: 'House' } },
  ])
  expect(await get(`${url}/tasks/query?$with=tags&id=3`)).toMatchObject([{ tags: [{ name: 'urgent' }] }])
  expect(await get(`${url}/task-tags/one?taskId=1&tagId=1`)).toEqual({ taskId: 1, tagId: 1 })
  expect(await get(`${url}/task-tags/one?taskId=1`)).toMatchObject({ status: 400, code: 'KEY_INCOMPLETE' })
  const curls = [...demo.output().matchAll(/curl '(\S+)'/g)].map(([, address]) => address!)
  expect(curls).toHaveLength(4)
  for (const address of curls) expect((await fetch(address)).status === 200 || address === `${url}/tasks`).toBe(true)
})

it('finds its data again', async () => {
  {
    await using demo = await startDemo()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Buy paint', projectId: 1 })
    expect((await fetch(`${demo.url}/tasks`, { method: 'POST', headers, body })).status).toBe(201)
    expect(await demo.stop()).toBe(0)
  }
  await using again = await startDemo()
  expect(await get(`${again.url}/tasks/query?title=Buy paint`)).toMatchObject([{ state: 'open', priority: 3 }])
  expect(await get(`${again.url}/projects/query`)).toHaveLength(2)
})

it('picks another port when its own is taken, and says so', async () => {
  const other = createServer().listen(3000, '127.0.0.1')
  // Somebody else may have it already, which is as good.
  await Promise.race([once(other, 'listening'), once(other, 'error')])
  try {
    await using demo = await startDemo()
    expect(demo.output()).toMatch(/^Port 3000 is taken, so another one serves\.$/m)
    expect(await get(`${demo.url}/board`)).toHaveLength(2)
  } finally {
    other.close()
  }
})

it('replaces a record that is nothing but its key', async () => {
  await using demo = await startDemo()
  const put = (body: object) =>
    fetch(`${demo.url}/task-tags`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const replaced = await put({ taskId: 1, tagId: 1 })
  expect(replaced.status).toBe(200)
  expect(await replaced.json()).toEqual({ taskId: 1, tagId: 1 })
  expect((await put({ taskId: 99, tagId: 1 })).status).toBe(404)
})

/** Asks under a name of one's own, as a page elsewhere would. */
function askAs(host: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .once('error', reject)
      .end()
  })
}

it('answers under the names of this machine alone', async () => {
  await using demo = await startDemo()
  const [, issuer = ''] = (await untilPrinted(demo, /provider runs at (http\S+)/)) ?? []
  for (const url of [`${demo.url}/board`, `${issuer}/.well-known/openid-configuration`]) {
    const { port } = new URL(url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:1']) {
      expect(await askAs(host, url), `${host} ${url}`).toBe(200)
    }
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.']) {
      expect(await askAs(host, url), `${host} ${url}`).toBe(421)
    }
  }
})

async function untilPrinted(demo: { output(): string }, pattern: RegExp) {
  await vi.waitUntil(() => pattern.test(demo.output()), { timeout: 20_000 })
  return demo.output().match(pattern)
}

it('shows so many projects on the board and no more, the others by name', async () => {
  await using demo = await startDemo()
  const projects = Array.from({ length: 60 }, (_, index) => ({ name: `Project ${String(index).padStart(2, '0')}` }))
  const stored = await fetch(`${demo.url}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(projects),
  })
  expect(stored.status).toBe(201)
  expect(await get(`${demo.url}/board`)).toHaveLength(50)
  expect(await get(`${demo.url}/board?project=Trip`)).toMatchObject([{ project: 'Trip' }])
})
