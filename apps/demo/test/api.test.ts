import type { OpenApiDocument } from '@portico/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene } from './support/scene.ts'
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

  it('shows a board, and tasks with what belongs to them', async () => {
    expect(await get('/board?project=Trip')).toEqual([{ project: 'Trip', open: 2, doing: 1, done: 1 }])
    expect(await get('/tasks/query?id=3&$with=project,tags')).toMatchObject([
      { title: 'Book the train', project: { name: 'Trip' }, tags: [{ name: 'tickets' }] },
    ])
  })

  it('knows a tag on a task by both parts of its key, and refuses one alone', async () => {
    expect(await get('/task-tags/one?taskId=1&tagId=1')).toEqual({ taskId: 1, tagId: 1 })
    expect(await get('/task-tags/one?taskId=1')).toMatchObject({ status: 400, code: 'KEY_INCOMPLETE' })
  })

  it('shares tasks, and keeps stars to whoever put them', async () => {
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

it('takes no form from anywhere but its own pages', async () => {
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

it('ends a token and a session at once', async () => {
  const visitor = new Visitor(scene.address)
  const page = await (await visitor.signIn('alan')).text()
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
  const [own] = page.match(/\/account\/[^"]+\/end/) ?? []
  expect((await others.send(own!, {})).status, 'what is not theirs').toBe(404)
})

describe('the description', () => {
  it('has every table under a tag, says how to sign in, and leaves pages out', async () => {
    const document = (await (await fetch(`${scene.address}/api-docs/spec.json`)).json()) as OpenApiDocument
    expect(document.tags?.map((it) => [it.name, it.description !== undefined])).toEqual(
      ['board', 'projects', 'tasks', 'tags', 'stars', 'Authorization'].map((it) => [it, true]),
    )
    const operations = Object.values(document.paths).flatMap((it) => Object.values(it))
    const ours = operations.filter((it) => it.tags?.length === 1 && it.tags[0] !== 'Authorization')
    expect(ours.length).toBeGreaterThan(30)
    for (const { security } of ours) expect(security).toEqual([{ bearer: [] }, { oauth: ['tasks'] }])
    const paths = Object.keys(document.paths)
    for (const page of ['/', '/task', '/account', '/api-docs']) expect(paths).not.toContain(page)
  })
})
