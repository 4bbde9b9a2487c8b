import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { InjectedResponse } from '@portico/http'
import type { OpenApiDocument } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { findJudges } from '../../../scripts/environment.mjs'
import { AnswerChecker } from './support/check-answer.ts'
import { openLibrary } from './support/library-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = readonly [Method, string, unknown?, Record<string, string>?]

const token = { authorization: 'Bearer librarian' }
const stranger = { authorization: 'Bearer stranger' }
const book = { title: 'Invisible Cities', kind: 'novel', tags: ['short'], authorId: 2, price: '12.50', note: 'hidden' }
const cover = { color: 'blue', kind: 'hard', width: 12 }
const address = { street: '1 High Street', city: 'York', country: 'UK' }
const loan = { bookId: 1, member: 'ada', dueOn: '2030-01-01' }
const text = { 'content-type': 'text/plain' }

/** Calls that lead to every described answer, in an order in which they work. */
const calls: readonly Call[] = [
  ['GET', '/catalog/search?text=city&kinds=novel&kinds=poems'],
  ['GET', '/catalog/search?text=x'],
  ['GET', '/catalog/count?tag=a&tag=b'],
  ['POST', '/catalog/moves', address, token],
  ['POST', '/catalog/moves', { street: 1 }, token],
  ['POST', '/catalog/moves', address],
  ['POST', '/catalog/moves', address, stranger],
  ['POST', '/catalog/moves', 'where', { ...token, ...text }],
  ['PUT', '/catalog/opening/monday', { from: 9 }],
  ['PUT', '/catalog/opening/monday', 'early', text],
  ['DELETE', '/catalog/opening/monday'],
  ['GET', '/catalog/export', undefined, token],

  ['POST', '/books', { ...book, cover }],
  ['POST', '/books', [book, book]],
  ['POST', '/books', { ...book, kind: 'map' }],
  ['POST', '/books', { ...book, authorId: 99 }],
  ['POST', '/books', 'x', text],
  ['GET', '/books/one?id=1'],
  ['GET', '/books/one?id=1&$with=author'],
  ['GET', '/books/one?id=1', undefined, { 'if-none-match': '"1"' }],
  ['GET', '/books/one'],
  ['GET', '/books/one?id=99'],
  ['GET', '/books/one/2'],
  ['GET', '/books/one/2', undefined, { 'if-none-match': '"1"' }],
  ['GET', '/books/one/x'],
  ['GET', '/books/one/99'],
  ['GET', '/books/query?$limit=2&$count=true&kind=novel&price[gt]=1'],
  ['GET', '/books/query?$select=title'],
  ['GET', '/books/one/1?$select=title&$with=author'],
  ['GET', '/books/query?nope=1'],
  ['PATCH', '/books?id=2', { title: 'New', cover: null }],
  ['PATCH', '/books?id=2', { title: 1 }],
  ['PATCH', '/books?id=99', { title: 'New' }],
  ['PATCH', '/books?id=2', { authorId: 99 }],
  ['PATCH', '/books?id=2', { title: 'Newer' }, { 'if-match': '"1"' }],
  ['PATCH', '/books?id=2', 'x', text],
  ['PUT', '/books?id=3', book],
  ['PUT', '/books?id=3', {}],
  ['PUT', '/books?id=99', book],
  ['PUT', '/books?id=3', { ...book, authorId: 99 }],
  ['PUT', '/books?id=3', book, { 'if-match': '"77"' }],
  ['PUT', '/books?id=3', 'x', text],
  ['DELETE', '/books?id=3', undefined, { 'if-match': '"77"' }],
  ['DELETE', '/books/4', undefined, { 'if-match': '"77"' }],

  ['POST', '/authors', { name: 'N. K. Jemisin', address }],
  ['POST', '/authors', { name: '' }],
  ['POST', '/authors', { id: 1, name: 'Twin' }],
  ['POST', '/authors', 'x', text],
  ['GET', '/authors/one?id=1&$with=books'],
  ['GET', '/authors/one'],
  ['GET', '/authors/one?id=99'],
  ['GET', '/authors/one/3'],
  ['GET', '/authors/one/x'],
  ['GET', '/authors/one/99'],
  ['GET', '/authors/query?$sort=-name'],
  ['GET', '/authors/query?$sort=nope'],
  ['PATCH', '/authors?id=3', { address: null }],
  ['PATCH', '/authors?id=3', { name: 1 }],
  ['PATCH', '/authors?id=99', { name: 'Nobody' }],
  ['PATCH', '/authors?id=3', 'x', text],
  ['PATCH', '/authors?id=3', { name: 'Nora' }, { 'if-match': '"1"' }],
  ['PUT', '/authors?id=3', { name: 'Nora' }, { 'if-match': '"1"' }],
  ['PUT', '/authors?id=3', { name: 'Nora' }],
  ['PUT', '/authors?id=3', { name: 1 }],
  ['PUT', '/authors?id=99', { name: 'Nobody' }],
  ['PUT', '/authors?id=3', 'x', text],
  ['DELETE', '/authors?id=1'],
  ['DELETE', '/authors/1'],
  ['DELETE', '/authors'],
  ['DELETE', '/authors/x'],
  ['DELETE', '/authors/3'],
  ['DELETE', '/authors/3'],
  ['DELETE', '/authors?id=3'],
  ['POST', '/authors', { name: 'Short' }],
  ['DELETE', '/authors?id=4'],

  ['POST', '/loans', loan, token],
  ['POST', '/loans', loan],
  ['POST', '/loans', loan, stranger],
  ['POST', '/loans', loan, token],
  ['POST', '/loans', { ...loan, dueOn: 'soon' }, token],
  ['POST', '/loans', 'x', { ...token, ...text }],
  ...(['GET', 'PUT', 'PATCH', 'DELETE'] as const).flatMap((method): Call[] => {
    const path = method === 'GET' ? '/loans/one' : '/loans'
    const body = method === 'PUT' ? loan : method === 'PATCH' ? { dueOn: '2030-02-01' } : undefined
    const missing = method === 'PUT' ? { ...loan, member: 'bob' } : body
    return [
      [method, `${path}?bookId=1&member=ada`, body, method === 'DELETE' ? {} : token],
      [method, `${path}?bookId=1&member=ada`, body, {}],
      [method, `${path}?bookId=1&member=ada`, body, stranger],
      [method, `${path}?bookId=1`, method === 'PUT' ? { dueOn: '2030-01-01' } : body, token],
      [method, `${path}?bookId=1&member=bob`, missing, token],
    ]
  }),
  ['PUT', '/loans?bookId=1&member=ada', loan, { ...token, 'if-match': '"1"' }],
  ['PATCH', '/loans?bookId=1&member=ada', { dueOn: '2030-03-01' }, { ...token, 'if-match': '"1"' }],
  ['PUT', '/loans?bookId=1&member=ada', 'x', { ...token, ...text }],
  ['PATCH', '/loans?bookId=1&member=ada', 'x', { ...token, ...text }],
  ['GET', '/loans/query?member=ada', undefined, token],
  ['GET', '/loans/query'],
  ['GET', '/loans/query', undefined, stranger],
  ['GET', '/loans/query?nope=1', undefined, token],
  ['DELETE', '/books?id=1'],
  ['DELETE', '/books/1'],
  ['DELETE', '/loans?bookId=1&member=ada', undefined, token],
  ['DELETE', '/books?id=1'],
  ['DELETE', '/books?id=1'],
  ['DELETE', '/books'],
  ['DELETE', '/books/2'],
  ['DELETE', '/books/2'],
  ['DELETE', '/books/x'],
]

/**
 * Described, but not reached here: nothing else fails, no body is too long, these parameters take any text, and these
 * tables have nothing that could be in conflict.
 */
const notSeen =
  / (413|default)$|^\w+ \/catalog\/(count|moves|opening\S*) (400|401|403|409)$|^\w+ \/(authors|loans) 409$/

describe('the description is true', () => {
  it('every answer matches it, and every described answer occurs', async () => {
    await using library = await openLibrary()
    const { app } = library
    const checker = new AnswerChecker((await app.inject('/api-docs/spec.json')).json<OpenApiDocument>())
    const problems: string[] = []
    for (const [method, url, body, headers = {}] of calls) {
      const answer: InjectedResponse = await app.inject({
        method,
        url,
        headers,
        ...(body !== undefined && { payload: body as object }),
      })
      problems.push(...checker.check(method, url, answer))
    }
    expect(problems).toEqual([])
    expect(checker.described.filter((it) => !checker.seen.has(it) && !notSeen.test(it))).toEqual([])
  })

  it('the check itself works: it finds a wrong schema and an undescribed path', async () => {
    await using library = await openLibrary()
    const { app } = library
    const document = (await app.inject('/api-docs/spec.json')).json<OpenApiDocument>()
    const { AuthorSelected: _, ...schemas } = document.components.schemas!
    const wrong = {
      ...document,
      components: { ...document.components, schemas: { ...schemas, AuthorSelected: { type: 'string' } } },
    }
    const checker = new AnswerChecker(wrong)
    expect(checker.check('GET', '/authors/one', await app.inject('/authors/one?id=1'))).toEqual([
      expect.stringContaining('GET /authors/one 200: data must be string'),
    ])
    expect(checker.check('GET', '/nowhere', await app.inject('/nowhere'))).toEqual(['GET /nowhere is not described'])
  })
})

const judges = findJudges()

const program = `
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const client = createClient<paths>({ baseUrl: process.env.URL! })
const authorization = 'Bearer librarian'

const made = await client.POST('/authors', { body: { name: 'Octavia E. Butler' } })
assert.ok(made.data && !Array.isArray(made.data))
const id: number = made.data.id

const read = await client.GET('/authors/one/{id}', { params: { path: { id } } })
assert.equal(read.data?.name, 'Octavia E. Butler')

const found = await client.GET('/books/query', { params: { query: { kind: 'novel', $limit: 5 } } })
// \`$select\` may leave it out, so its type says so.
const titles: (string | undefined)[] = found.data!.map((it) => it.title)
assert.deepEqual(titles, ['The Dispossessed'])
const ids: number[] = found.data!.map((it) => it.id)
assert.equal(ids.length, 1)

const lent = await client.POST('/loans', { body: { bookId: 1, member: 'ada', dueOn: '2030-01-01' }, headers: { authorization } })
assert.equal(lent.response.status, 201)

const refused = await client.GET('/authors/one/{id}', { params: { path: { id: 999 } } })
assert.equal(refused.error?.code, 'RECORD_NOT_FOUND')

const changed = await client.PATCH('/authors', { params: { query: { id } }, body: { name: 'O. E. Butler' } })
assert.equal(changed.data?.name, 'O. E. Butler')
assert.equal((await client.DELETE('/authors/{id}', { params: { path: { id } } })).response.status, 204)

// @ts-expect-error there is no such kind
await client.GET('/books/query', { params: { query: { kind: 'map' } } })
// @ts-expect-error there is no such path
await client.GET('/nowhere')
console.log('done')
`

describe.skipIf(!judges)('a client that is generated from the description', () => {
  it('drives the app, with types for what it sends and gets', async () => {
    await using library = await openLibrary()
    const url = await library.app.listen()
    const folder = await mkdtemp(join(tmpdir(), 'portico-client-'))
    try {
      const modules = join(judges!.path, 'node_modules')
      await symlink(modules, join(folder, 'node_modules'), 'junction')
      await symlink(join(modules, '../../../node_modules/@types'), join(folder, 'types'), 'junction')
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
      await writeFile(join(folder, 'spec.json'), await (await fetch(`${url}/api-docs/spec.json`)).text())
      await writeFile(join(folder, 'client.ts'), program)
      const compilerOptions = {
        strict: true,
        module: 'nodenext',
        target: 'es2022',
        types: ['node'],
        typeRoots: ['./types'],
        skipLibCheck: true,
        rewriteRelativeImportExtensions: true,
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
      const run = async (script: string, ...args: string[]): Promise<string> => {
        const env = { ...process.env, URL: url }
        const ended = await promisify(execFile)(process.execPath, [script, ...args], { cwd: folder, env }).catch(
          (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }),
        )
        return ended.stdout
      }
      await run(join(modules, 'openapi-typescript/bin/cli.js'), 'spec.json', '-o', 'api.ts')
      expect(await run(join(modules, 'typescript/bin/tsc'), '-p', '.')).toBe('')
      expect(await run('client.js')).toBe('done\n')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 120_000)
})
