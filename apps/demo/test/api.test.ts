import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { sqlite } from '@portico/db/sqlite'
import type { OpenApiDocument } from '@portico/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from './support/demo.ts'
import { findPort, openScene } from './support/scene.ts'
import { tokenOf, Visitor } from './support/visitor.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let ada: string
let grace: string
beforeAll(async () => {
  scene = await openScene()
  ada = await tokenOf(scene.address, 'ada')
  grace = await tokenOf(scene.address, 'grace')
})
afterAll(() => scene[Symbol.asyncDispose]())

function ask(path: string, token: string | undefined, method = 'GET', body?: object): Promise<Response> {
  return fetch(scene.address + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const get = async (path: string, token = ada): Promise<unknown> => (await ask(path, token)).json()

describe('the tables over HTTP', () => {
  it.each(['/board', '/projects/query', '/tasks/query', '/tags/query', '/task-tags/query', '/stars/query'])(
    '%s is for callers who are signed in',
    async (path) => {
      for (const token of [undefined, 'made-up']) expect((await ask(path, token)).status).toBe(401)
      expect((await ask(path, ada)).status).toBe(200)
    },
  )

  it('returns the board, and tasks with their relations', async () => {
    expect(await get('/board?project=Trip')).toEqual([{ project: 'Trip', open: 2, doing: 1, done: 1 }])
    expect(await get('/tasks/query?id=3&$with=project,tags')).toMatchObject([
      { title: 'Book the train', project: { name: 'Trip' }, tags: [{ name: 'tickets' }] },
    ])
  })

  it('finds a tag of a task by its composite key, and refuses a partial key', async () => {
    expect(await get('/task-tags/one?taskId=1&tagId=1')).toEqual({ taskId: 1, tagId: 1 })
    expect(await get('/task-tags/one?taskId=1')).toMatchObject({ status: 400, code: 'KEY_INCOMPLETE' })
  })

  it('shares tasks between users, but not stars', async () => {
    const { id } = (await (await ask('/tasks', ada, 'POST', { title: 'Buy paint', projectId: 1 })).json()) as {
      id: number
    }
    expect(await get(`/tasks/one/${id}`, grace)).toMatchObject({ title: 'Buy paint', state: 'open' })
    const starred = await ask('/stars', ada, 'POST', { taskId: id })
    expect(starred.status).toBe(201)
    const star = (await starred.json()) as { userId: string }
    expect(await get('/stars/query', ada)).toEqual([{ userId: star.userId, taskId: id }])
    expect(await get('/stars/query', grace)).toEqual([])
    expect((await ask(`/stars?userId=${star.userId}&taskId=${id}`, grace, 'DELETE')).status).toBe(404)
    expect((await ask('/stars', grace, 'POST', { userId: star.userId, taskId: 1 })).status).toBe(403)
  })
})

it('accepts forms only from its own pages', async () => {
  const visitor = new Visitor(scene.address)
  await visitor.signIn('alan')
  const form = { title: 'Forged', project: 'House', priority: '3', dueOn: '' }
  const { origin: foreign } = new URL('http://127.0.0.1:9')
  const own = { origin: scene.address }
  for (const headers of [{}, { origin: foreign }, { origin: 'null' }, { ...own, 'sec-fetch-site': 'same-site' }]) {
    expect((await visitor.send('/task', form, headers)).status).toBe(403)
  }
  expect(await get('/tasks/query?title=Forged')).toEqual([])
  expect((await visitor.send('/task', form)).status).toBe(303)
  expect(await get('/tasks/query?title=Forged')).toHaveLength(1)
})

const alertOf = (page: string): string | undefined => page.match(/role="alert">([^<]*)/)?.[1]

describe('the form of a task', () => {
  const fields = { title: 'Sand the floor', project: 'House', priority: '2', dueOn: '', state: 'open', tags: 'slow' }
  const makeTask = async (): Promise<number> => {
    const made = await ask('/tasks', ada, 'POST', { title: 'Sand the floor', projectId: 1 })
    return ((await made.json()) as { id: number }).id
  }
  let visitor: Visitor
  beforeAll(async () => {
    visitor = new Visitor(scene.address)
    await visitor.signIn('ada')
  })

  it('is shown again with its values if they are invalid, and changes nothing', async () => {
    const path = `/task/${await makeTask()}`
    const wrong = { ...fields, version: '1', title: 't'.repeat(201), state: 'done', dueOn: '2031-02-03' }
    const answer = await visitor.send(path, wrong)
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(alertOf(page)).toMatch(/^Title must have a length of at most 200\.$/)
    for (const value of [wrong.title, 'slow', '2031-02-03']) expect(page).toContain(` value="${value}"`)
    expect(page).toContain('<option value="done" selected>')
    expect(await (await visitor.send(path)).text()).toContain('value="Sand the floor"')
  })

  it('with an outdated version shows the stored task', async () => {
    const path = `/task/${await makeTask()}`
    expect((await visitor.send(path, { ...fields, version: '1', title: 'Sand it twice' })).status).toBe(303)
    for (const version of ['1', '', '3']) {
      const late = await visitor.send(path, { ...fields, version, title: 'Too late' })
      expect(late.status).toBe(409)
      const page = await late.text()
      expect(alertOf(page)).toMatch(/^Someone else has changed this task/)
      expect(page).toContain(' value="Sand it twice"')
      expect(page).not.toContain('Too late')
    }
  })

  it('of a deleted task is refused, and creates no project', async () => {
    const id = await makeTask()
    expect((await ask(`/tasks?id=${id}`, ada, 'DELETE')).ok).toBe(true)
    for (const tags of ['', 'slow']) {
      const late = { ...fields, version: '1', project: 'Nobody needs it', tags }
      expect((await visitor.send(`/task/${id}`, late)).status).toBe(404)
    }
    expect(await get('/board?project=Nobody needs it')).toEqual([])
  })

  it('limits the length of project and tag names like the tables do', async () => {
    const path = `/task/${await makeTask()}`
    for (const long of [{ project: 'p'.repeat(101) }, { tags: 't'.repeat(51) }]) {
      const answer = await visitor.send(path, { ...fields, version: '1', ...long })
      expect(answer.status).toBe(400)
      expect(alertOf(await answer.text())).toMatch(/^Name of the project or tag must have /)
    }
    for (const [table, name] of Object.entries({ projects: 'p'.repeat(101), tags: 't'.repeat(51) })) {
      expect((await ask(`/${table}`, ada, 'POST', { name })).status).toBe(400)
    }
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])(
    'leads back to no other site: %s',
    async (back) => {
      const answer = await visitor.send('/task/1/star', { starred: 'off', back })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/#task-1'])
    },
  )
})

/** The part of a page between its header and its script. */
function mainOf(page: string): string {
  return /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? ''
}

it('escapes names in pages', async () => {
  const visitor = new Visitor(scene.address)
  await visitor.signIn('ada')
  const name = `"><script>alert(1)</script><b a='`
  const form = { title: name, project: name, priority: '1', dueOn: '' }
  expect((await visitor.send('/task', form)).status).toBe(303)
  const [{ id, version } = { id: 0, version: 0 }] = (await get(`/tasks/query?title=${encodeURIComponent(name)}`)) as {
    id: number
    version: number
  }[]
  const change = { ...form, state: 'open', tags: name, version: String(version) }
  expect((await visitor.send(`/task/${id}`, change)).status).toBe(303)
  const refused = await visitor.send(`/task/${id}`, { ...change, dueOn: name, version: String(version + 1) })
  expect(refused.status).toBe(400)
  const pages = [refused, await visitor.send(`/?text=${encodeURIComponent(name)}`), await visitor.send(`/task/${id}`)]
  for (const page of pages) {
    const text = mainOf(await page.text())
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;b a=&#39;')
    expect(text).not.toMatch(/<script|<b a=/)
  }
})

it('the star filter finds only your own stars', async () => {
  const visitor = new Visitor(scene.address)
  await visitor.signIn('katherine', 'work')
  const token = await visitor.getToken()
  for (const taskId of [1, 2, 3]) await ask('/stars', token, 'POST', { taskId })
  const page = mainOf(await (await visitor.send('/?starred=on&state=all')).text())
  expect(page).toContain('<span>3 tasks</span>')
  expect(page.match(/aria-pressed="true"/g)).toHaveLength(3)
  expect(mainOf(await (await visitor.send('/?state=all')).text()).match(/aria-pressed="true"/g)).toHaveLength(3)
  const other = new Visitor(scene.address)
  await other.signIn('grace')
  expect(await (await other.send('/?starred=on&state=all')).text()).toContain('None of your starred tasks match.')
  const all = mainOf(await (await other.send('/?state=all')).text())
  expect(all).toContain('aria-pressed="false"')
  expect(all).not.toContain('aria-pressed="true"')
})

it.each(['', 'openid profile email'])('grants no access to a token with the scope "%s"', async (scope) => {
  const visitor = new Visitor(scene.address)
  await visitor.signIn('ada')
  const token = await visitor.getToken(scope)
  const before = await get('/tasks/query')
  for (const [path, method] of [
    ['/board', 'GET'],
    ['/tasks/query', 'GET'],
    ['/tasks/1', 'DELETE'],
    ['/stars/query', 'GET'],
    ['/projects/query', 'GET'],
  ] as const) {
    const answer = await ask(path, token, method)
    expect([path, answer.status, ((await answer.json()) as { detail?: string }).detail]).toEqual([
      path,
      403,
      'the token lacks the scope `tasks`',
    ])
  }
  expect(await get('/tasks/query')).toEqual(before)
})

it('revokes a token and a session immediately', async () => {
  const visitor = new Visitor(scene.address)
  await visitor.signIn('alan')
  const token = await visitor.getToken()
  expect((await ask('/board', token)).status).toBe(200)
  const listed = await (await visitor.send('/account')).text()
  const [program] =
    [...listed.matchAll(/action="(\/account\/[^"]+\/end)" *>.*?aria-label="End A program/g)].at(-1)?.slice(1) ?? []
  expect((await visitor.send(program!, {})).status).toBe(303)
  expect((await ask('/board', token)).status).toBe(401)
  expect((await visitor.send(program!, {})).status).toBe(404)
  const others = new Visitor(scene.address)
  await others.signIn('grace')
  const elsewhere = new Visitor(scene.address)
  await elsewhere.signIn('alan')
  // The browser itself has no button to end it: it signs out.
  const access = /<ul[\s\S]*?<\/ul>/.exec(mainOf(await (await visitor.send('/account')).text()))?.[0] ?? ''
  const [session, ...more] = access.match(/\/account\/[^"]+\/end/g) ?? []
  expect(access.match(/<li>/g)).toHaveLength(more.length + 2)
  expect((await others.send(session!, {})).status, 'what is not theirs').toBe(404)
  expect((await elsewhere.send('/account')).status).toBe(200)
  expect((await visitor.send(session!, {})).status).toBe(303)
  expect((await elsewhere.send('/account')).headers.get('location')).toBe('/auth/sign-in?return_to=%2Faccount')
})

it('a revocation applies immediately to open connections and to other processes on the same database', async () => {
  const folder = makeFolder()
  const open = async () => openScene(sqlite({ file: join(folder, 'shared.db') }), await findPort())
  await using one = await open()
  await using two = await open()
  const token = await tokenOf(one.address, 'ada')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const headers = { authorization: `Bearer ${token}` }
    const status = (address: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${address}/board`, { agent, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode))
        })
          .once('error', reject)
          .end()
      })
    expect([await status(one.address), await status(two.address)]).toEqual([200, 200])
    const body = new URLSearchParams({ token })
    expect((await fetch(`${two.address}/auth/revoke`, { method: 'POST', body })).status).toBe(200)
    expect([await status(one.address), await status(two.address)]).toEqual([401, 401])
  } finally {
    agent.destroy()
  }
})

it.each(['/', '/account', '/task/1', '/task/999999'])(
  '%s allows only its own script, no framing and no caching',
  async (path) => {
    const visitor = new Visitor(scene.address)
    if (path !== '/') await visitor.signIn('ada')
    const { headers } = await visitor.send(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-\S+'$/),
      expect.stringMatching(/^script-src 'sha256-\S+'$/),
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  },
)

describe('the API description', () => {
  it('has a tag for every table and the security schemes, and omits pages', async () => {
    const document = (await (await fetch(`${scene.address}/api-docs/spec.json`)).json()) as OpenApiDocument
    expect(document.tags?.map((it) => [it.name, it.description !== undefined])).toEqual(
      ['board', 'projects', 'tasks', 'tags', 'stars', 'Authorization'].map((it) => [it, true]),
    )
    const operations = Object.values(document.paths).flatMap((it) => Object.values(it))
    const ours = operations.filter((it) => it.tags?.length === 1 && it.tags[0] !== 'Authorization')
    expect(ours.length).toBeGreaterThan(30)
    for (const { security } of ours) expect(security).toEqual([{ oauth: ['tasks'] }, { bearer: [] }])
    const paths = Object.keys(document.paths)
    for (const page of ['/', '/task', '/account', '/api-docs']) expect(paths).not.toContain(page)
  })
})
