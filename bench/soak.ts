import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Visitor } from '../apps/demo/test/support/visitor.ts'

export const title = 'Does the whole app hold under mixed work, and leak nothing?'

const clients = 50
const warmUpMs = 15_000
const soakMs = 60_000
const people = ['ada', 'grace', 'alan']

interface Tally {
  readonly latencies: Map<string, number[]>
  readonly failures: string[]
}

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-soak-'))
  const server = fork(fileURLToPath(new URL('soak/server.mjs', import.meta.url)), [folder], {
    execArgv: ['--expose-gc'],
  })
  try {
    const { address } = await ask<{ address: string }>(server)
    const warmUp = await work(address, warmUpMs)
    const before = await ask<{ heap: number }>(server, 'heap')
    const soak = await work(address, soakMs)
    const after = await ask<{ heap: number }>(server, 'heap')
    const failures = [...warmUp.failures, ...soak.failures]
    if (failures.length > 0) throw new Error(`${failures.length} failures, such as ${failures.slice(0, 3).join('; ')}`)
    const ratio = after.heap / before.heap
    if (ratio > 1.2) throw new Error(`the heap grew ${ratio.toFixed(2)}-fold`)
    return report(soak, before.heap, after.heap)
  } finally {
    if (server.connected) server.send('stop')
    if (server.exitCode === null) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

async function ask<T>(server: ChildProcess, question?: string): Promise<T> {
  if (question !== undefined) server.send(question)
  const [answer] = (await Promise.race([
    once(server, 'message'),
    once(server, 'exit').then(() => Promise.reject(new Error('the server ended'))),
  ])) as [T]
  return answer
}

/** All clients at once, each going round: sign in, get a token, use it, end it, sign out. */
async function work(address: string, ms: number): Promise<Tally> {
  const tally: Tally = { latencies: new Map(), failures: [] }
  const until = Date.now() + ms
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (Date.now() < until) await goRound(address, people[client % people.length]!, tally, until)
    }),
  )
  return tally
}

async function goRound(address: string, person: string, tally: Tally, until: number): Promise<void> {
  const visitor = new Visitor(address)
  const signedIn = await timed(tally, 'sign-in, all its redirects', () => visitor.signIn(person))
  if (!signedIn) return
  const token = await timed(tally, 'token for a program, with consent', () => visitor.getToken())
  if (token === undefined) return
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = (what: string, path: string, expected: number, init: RequestInit = {}) =>
    timed(tally, what, async () => {
      const answer = await fetch(address + path, { headers, ...init })
      const body = await answer.text()
      if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${body.slice(0, 100)}`)
      return body
    })
  for (let round = 0; round < 5 && Date.now() < until; round++) {
    await call('table: find', '/tasks/query?state=open&$with=project,tags&$limit=20', 200)
    const body = JSON.stringify({ title: 'Soak', projectId: 1 })
    const made = await call('table: insert', '/tasks', 201, { method: 'POST', body })
    if (made === undefined) return
    const { id } = JSON.parse(made) as { id: number }
    await call('table: update', '/tasks', 200, { method: 'PATCH', body: JSON.stringify({ id, state: 'done' }) })
    await call('table: delete', `/tasks/${id}`, 204, {
      method: 'DELETE',
      headers: { authorization: headers.authorization },
    })
  }
  const revoked = new URLSearchParams({ token })
  await timed(tally, 'revocation', () => fetch(`${address}/auth/revoke`, { method: 'POST', body: revoked }).then(drain))
  await call('refusal of a revoked token', '/board', 401)
  await timed(tally, 'sign-out', () => visitor.send('/auth/logout', {}).then(drain))
}

async function drain(answer: Response): Promise<void> {
  await answer.arrayBuffer()
  if (answer.status >= 400) throw new Error(`${answer.url}: ${answer.status}`)
}

async function timed<T>(tally: Tally, what: string, step: () => Promise<T>): Promise<T | undefined> {
  const start = performance.now()
  try {
    const result = await step()
    if (result instanceof Response) await drain(result)
    const times = tally.latencies.get(what)
    if (times) times.push(performance.now() - start)
    else tally.latencies.set(what, [performance.now() - start])
    return result
  } catch (error) {
    tally.failures.push(`${what}: ${(error as Error).message}`)
    return undefined
  }
}

function report({ latencies }: Tally, before: number, after: number): string {
  const rows = [...latencies].map(([what, times]) => {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (part: number): string => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(0)
    return `| ${what} | ${sorted.length} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} |`
  })
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  return [
    `The app of \`npm start\` on SQLite, with its local provider in the same process and ${clients} clients in another, for ${soakMs / 1000} s after ${warmUpMs / 1000} s of warm-up.`,
    'Each client repeats a loop: it signs in, gets a token, finds, inserts, updates and deletes tasks with it, revokes it, is refused, signs out.',
    `Every response was the expected one; there was no 5xx. The heap after a collection was ${mib(before)} MiB after the warm-up and ${mib(after)} MiB at the end: ${(after / before).toFixed(2)}-fold (at most 1.2 passes).`,
    '',
    '| step | times | median, ms | 95 %, ms | 99 %, ms |',
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}
