import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { aTask, openTracker, type Tracker } from './support.ts'
import { Task } from './tracker.portico.ts'

let tracker: Tracker
let before: unknown
beforeAll(async () => {
  tracker = await openTracker()
  await tracker.db.table(Task).insertMany([aTask, { ...aTask, title: 'Two' }])
  before = await tracker.dump()
})
afterAll(() => tracker[Symbol.asyncDispose]())

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']
const wrongNumbers = [
  '',
  ' 1',
  '1 ',
  '1e999',
  '-1e999',
  '1e-999',
  '-0.1e-400',
  '0x10',
  '0b1',
  '1_000',
  '1,5',
  '+1',
  '.5',
  '1.',
  '01',
  'NaN',
  'Infinity',
  'null',
  '١',
]
const wrongWholes = [...wrongNumbers, '1.5', '1e3', '9007199254740993', '-9007199254740993']
const wrongBooleans = ['', '1', '0', 'TRUE', 'yes', ' true', 'null']
const wrongDecimals = ['', '1e3', '0x1', ' 1', '+1', '1.', '.5', 'NaN', '01']

/** Every field with every operator and values of the wrong type. */
const wrongValues = [
  ...wrongNumbers.map((it) => ['estimate', it]),
  ...wrongWholes.map((it) => ['id', it]),
  ...wrongWholes.map((it) => ['createdAt', it]),
  ...wrongBooleans.map((it) => ['urgent', it]),
  ...wrongDecimals.map((it) => ['cost', it]),
  ...['', 'OPEN', 'open ', 'later'].map((it) => ['state', it]),
  ...wrongNumbers.map((it) => ['place.geo.lat', it]),
  ['title', 'a\0b'],
].flatMap(([field, value]) =>
  ['', ...operators.map((it) => `[${it}]`)].map((operator) => [`${field}${operator}`, value!] as const),
)

const wrongQueries = [
  ...['$limit', '$offset'].flatMap((it) =>
    ['', '-1', '1.5', '1e3', 'x', ' 1', '0x10', '9'.repeat(30)].map((value) => [it, value]),
  ),
  ...['$sort', '$select', '$with'].flatMap((it) =>
    ['', 'nope', ',', 'id,', '__proto__', 'constructor', 'note.secret'].map((value) => [it, value]),
  ),
  ...['$sort=id,id', '$sort=labels', '$sort=--id', '$sort=place', '$select=place.city', '$with=owner.tasks'].map((it) =>
    it.split('='),
  ),
  ...['', '1', 'yes', 'TRUE'].map((value) => ['$count', value]),
  ...['', 'x', '????', 'W10', 'WzEsMl0', 'WyIxIl0', 'eyJhIjoxfQ', 'W251bGxd'].map((value) => ['$after', value]),
  ...['', '1', 'maybe'].map((value) => ['estimate[null]', value]),
  ...[
    '$or',
    '$and',
    '$not',
    '$where',
    '$',
    '$LIMIT',
    'nope',
    'Title',
    'title.x',
    'place',
    'labels',
    'owner',
    'owner.email',
    '',
  ].map((it) => [it, 'x']),
  ...['note.secret', 'note', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'].map((it) => [
    it,
    'x',
  ]),
  ...[
    'title[]',
    'title[$eq]',
    'title[EQ]',
    'title[eq',
    'titleeq]',
    'title[eq][eq]',
    '[eq]',
    'title[__proto__]',
    'title[constructor]',
  ].map((it) => [it, 'x']),
  ...['estimate[like]', 'urgent[ilike]', 'cost[like]'].map((it) => [it, '1']),
  ['title[like]', 'x\\'],
].map(([name, value]) => new URLSearchParams([[name!, value!]]).toString())

const repeated = [
  'title=a&title=b',
  'id=1&id=1',
  'title[eq]=a&title[eq]=b',
  'title=a&title[eq]=a',
  '$limit=1&$limit=2',
  '$sort=id&$sort=id',
  'title[like]=a&title[like]=b',
  'estimate[null]=true&estimate[null]=false',
]
const contradicting = ['$after=WzFd&$sort=id', '$after=WzFd&$offset=1']
const malformed = ['title=%FF', '%C0%80=1', 'title=%', 'title=%zz', 'title=%ED%A0%80', '$sort=%E0%A4%A']

function problem(answer: { body: string; headers: Record<string, unknown> }) {
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  return JSON.parse(answer.body) as { status: number; code: string }
}

describe('a query that is wrong is 400', () => {
  it('for every field, operator and wrong value', async () => {
    expect(wrongValues.length).toBeGreaterThan(500)
    for (const [name, value] of wrongValues) {
      const answer = await tracker.get(`/tasks/query?${new URLSearchParams([[name, value]]).toString()}`)
      expect(problem(answer), `${name}=${JSON.stringify(value)}`).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      })
    }
  })

  it.each([...wrongQueries, ...repeated, ...contradicting])('?%s', async (query) => {
    expect(problem(await tracker.get(`/tasks/query?${query}`))).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
    })
  })

  it.each(['["1"]', '[null]', '[true]', '[{"$gt":0}]'])('for a cursor with %s, by its name', async (key) => {
    const cursor = Buffer.from(key).toString('base64url')
    expect(problem(await tracker.get(`/tasks/query?$after=${cursor}`))).toMatchObject({
      issues: [{ path: ['$after'] }],
    })
  })

  it.each(malformed)('?%s', async (query) => {
    for (const url of [`/tasks/query?${query}`, `/tasks/one?${query}`]) {
      expect(problem(await tracker.get(url))).toMatchObject({ status: 400, code: 'MALFORMED_URL' })
    }
  })
})

describe('a key that is wrong is 400', () => {
  it('for every wrong whole number, by every route', async () => {
    for (const value of wrongWholes) {
      const query = new URLSearchParams({ id: value }).toString()
      const answers = [
        await tracker.get(`/tasks/one?${query}`),
        await tracker.send('DELETE', `/tasks?${query}`),
        await tracker.send('PATCH', `/tasks?${query}`, { title: 'x' }),
        await tracker.send('PUT', `/tasks?${query}`, aTask),
      ]
      if (value.trim() !== '')
        answers.push(
          await tracker.get(`/tasks/one/${encodeURIComponent(value)}`),
          await tracker.send('DELETE', `/tasks/${encodeURIComponent(value)}`),
        )
      for (const answer of answers) expect(problem(answer), JSON.stringify(value)).toMatchObject({ status: 400 })
    }
    expect(await tracker.dump()).toEqual(before)
  })

  it.each([
    ['GET', '/tasks/one', 'KEY_INCOMPLETE'],
    ['DELETE', '/tasks', 'KEY_INCOMPLETE'],
    ['GET', '/tasks/one?id=1&id=2', 'VALIDATION_FAILED'],
    ['GET', '/tasks/one?id=1&title=x', 'VALIDATION_FAILED'],
    ['GET', '/tasks/one?id=1&$limit=1', 'VALIDATION_FAILED'],
    ['GET', '/tasks/one/1?id=2', 'VALIDATION_FAILED'],
    ['GET', '/tasks/one?id[eq]=1', 'VALIDATION_FAILED'],
    ['DELETE', '/tasks?id=1&state=open', 'VALIDATION_FAILED'],
    ['DELETE', '/tasks?id[in]=1', 'VALIDATION_FAILED'],
    ['DELETE', '/tasks?id=1&id=2', 'VALIDATION_FAILED'],
    ['DELETE', '/tasks?state=open', 'VALIDATION_FAILED'],
    ['DELETE', '/tasks/%FF', 'MALFORMED_URL'],
  ] as const)('%s %s is %s', async (method, url, code) => {
    expect(problem(await tracker.app.inject({ method, url }))).toMatchObject({ status: 400, code })
    expect(await tracker.dump()).toEqual(before)
  })

  it.each(['PUT', 'PATCH'] as const)('%s with null for it, which is as good as none', async (method) => {
    const answer = problem(await tracker.send(method, '/tasks', { ...aTask, id: null }))
    expect(answer).toMatchObject({ status: 400, code: 'KEY_INCOMPLETE', issues: [{ path: ['id'] }] })
    expect(await tracker.dump()).toEqual(before)
  })
})

describe('a body that is wrong is refused', () => {
  const json = 'application/json'
  const valid = JSON.stringify({ id: 1, ...aTask })
  const cases: [what: string, type: string | undefined, body: string | Buffer, status: number, code: string][] = [
    ['no body', json, '', 400, 'VALIDATION_FAILED'],
    ['null', json, 'null', 400, 'VALIDATION_FAILED'],
    ['text', json, '"x"', 400, 'VALIDATION_FAILED'],
    ['a number', json, '1', 400, 'VALIDATION_FAILED'],
    ['an array of arrays', json, '[[]]', 400, 'VALIDATION_FAILED'],
    ['an array with null', json, '[null]', 400, 'VALIDATION_FAILED'],
    ['an array as a value', json, valid.replace('"Write"', '["Write"]'), 400, 'VALIDATION_FAILED'],
    ['an object as a value', json, valid.replace('"Write"', '{"$ne":null}'), 400, 'VALIDATION_FAILED'],
    ['an unknown field', json, valid.replace('{', '{"nope":1,'), 400, 'VALIDATION_FAILED'],
    ['a number that overflows', json, valid.replace('{', '{"estimate":1e999,'), 400, 'MALFORMED_BODY'],
    ['a fraction for a whole number', json, valid.replace('"ownerId":1', '"ownerId":1.5'), 400, 'VALIDATION_FAILED'],
    ['text for a number', json, valid.replace('"ownerId":1', '"ownerId":"1"'), 400, 'VALIDATION_FAILED'],
    ['a NUL in text', json, valid.replace('Write', 'a\\u0000'), 400, 'VALIDATION_FAILED'],
    ['__proto__', json, valid.replace('{', '{"__proto__":{"x":1},'), 400, 'MALFORMED_BODY'],
    ['__proto__ inside', json, valid.replace('{', '{"place":{"city":"x","__proto__":{}},'), 400, 'MALFORMED_BODY'],
    ['__proto__ in disguise', json, valid.replace('{', '{"__pr\\u006fto__":{},'), 400, 'MALFORMED_BODY'],
    ['constructor.prototype', json, valid.replace('{', '{"constructor":{"prototype":{}},'), 400, 'MALFORMED_BODY'],
    ['a key twice', json, valid.replace('{', '{"title":"Other",'), 400, 'MALFORMED_BODY'],
    ['a key twice in disguise', json, valid.replace('{', '{"t\\u0069tle":"Other",'), 400, 'MALFORMED_BODY'],
    ['a key twice inside an array', json, `[${valid.replace('{', '{"title":"Other",')}]`, 400, 'MALFORMED_BODY'],
    ['half of it', json, valid.slice(0, -1), 400, 'MALFORMED_BODY'],
    ['hex numbers', json, valid.replace('"ownerId":1', '"ownerId":0x1'), 400, 'MALFORMED_BODY'],
    ['comments', json, `/* */${valid}`, 400, 'MALFORMED_BODY'],
    ['a byte order mark', json, `\ufeff${valid}`, 400, 'MALFORMED_BODY'],
    ['invalid UTF-8', json, Buffer.from(valid.replace('Write', '\xff'), 'latin1'), 400, 'MALFORMED_BODY'],
    [
      'an encoded surrogate',
      json,
      Buffer.concat([Buffer.from('"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"')]),
      400,
      'MALFORMED_BODY',
    ],
    ['too long a body', json, JSON.stringify({ ...aTask, title: 'x'.repeat(1_048_576) }), 413, 'BODY_TOO_LARGE'],
    ['plain text', 'text/plain', valid, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', 'application/x-www-form-urlencoded', 'title=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['XML', 'application/xml', '<a/>', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another charset', 'application/json; charset=utf-16', valid, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no content type that is one', 'json', valid, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]

  it.each(cases)('%s', async (_, type, payload, status, code) => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const url = method === 'POST' ? '/tasks' : '/tasks?id=1'
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await tracker.app.inject({ method, url, headers, payload })
      expect(problem(answer), method).toMatchObject({ status, code })
      expect(answer.body).not.toContain('Write')
    }
    expect(await tracker.dump()).toEqual(before)
  })

  it('with a bounded answer, however much is wrong', async () => {
    const answer = await tracker.send(
      'POST',
      '/tasks',
      Object.fromEntries(Array.from({ length: 5000 }, (_, it) => [`f${it}`, 1])),
    )
    expect(answer.json().issues).toHaveLength(100)
  })

  it('with a small answer, however long the names in it', async () => {
    const names = Array.from({ length: 150 }, (_, it) => `${it}${'x'.repeat(5000)}`)
    const body = await tracker.send('POST', '/tasks', Object.fromEntries(names.map((it) => [it, 1])))
    const search = await tracker.get(`/tasks/query?${'n'.repeat(6000)}=1&$sort=${'s'.repeat(6000)}`)
    const path = await tracker.get(`/tasks/one/${'9'.repeat(2000)}`)
    for (const answer of [body, search, path]) {
      expect(problem(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(answer.json().detail.length).toBeLessThan(520)
      expect(answer.body.length).toBeLessThan(40_000)
      for (const issue of answer.json().issues) expect(JSON.stringify(issue).length).toBeLessThan(800)
    }
    expect(search.body.length).toBeLessThan(2500)
    expect(await tracker.dump()).toEqual(before)
  })

  it('but not for colons in its text', async () => {
    const title = 'a: "b": {c:d}'
    const answer = await tracker.send('PATCH', '/tasks?id=1', { title, labels: [':', '\\":'] })
    expect(answer.json()).toMatchObject({ title, labels: [':', '\\":'] })
    await tracker.db.table(Task).updateOne({ id: 1, title: aTask.title, labels: aTask.labels })
    before = await tracker.dump()
  })

  it('when it nests deeply', async () => {
    for (const payload of [
      '['.repeat(200_000) + ']'.repeat(200_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ]) {
      const answer = await tracker.app.inject({
        method: 'POST',
        url: '/tasks',
        headers: { 'content-type': json },
        payload,
      })
      expect(problem(answer).status).toBe(400)
    }
  })
})

it('an address with a part that is too long is 414', async () => {
  expect(problem(await tracker.get(`/tasks/one/${'1'.repeat(3000)}`))).toMatchObject({
    status: 414,
    code: 'URL_TOO_LONG',
  })
})

it('no random query is answered with a 5xx', async () => {
  const field = fc.constantFrom(
    'id',
    'title',
    'state',
    'estimate',
    'cost',
    'urgent',
    'labels',
    'place.city',
    'place.geo.lat',
    'note.text',
    'ownerId',
    'version',
    'createdAt',
  )
  const operator = fc.constantFrom(
    '',
    '[eq]',
    '[ne]',
    '[gt]',
    '[gte]',
    '[lt]',
    '[lte]',
    '[in]',
    '[nin]',
    '[like]',
    '[ilike]',
    '[null]',
    '[x]',
  )
  const control = fc.constantFrom('$sort', '$limit', '$offset', '$select', '$with', '$count', '$after', '$x')
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '-1',
      '1e308',
      '1e999',
      '-0',
      '0.1',
      'true',
      'false',
      'open',
      'null',
      '-id,title',
      'owner',
      'WzFd',
      '%',
      '\\',
      '_',
      "';--",
      '[1]',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.double().map(String),
    fc.bigInt().map(String),
  )
  const pair = fc.tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(field, operator).map((it) => it.join('')) },
      { weight: 2, arbitrary: control },
      fc.string({ maxLength: 6 }),
    ),
    value,
  )
  const strict = fc
    .array(pair, { maxLength: 5 })
    .map((pairs) => pairs.map((it) => it.map((text) => encodeURIComponent(text)).join('=')).join('&'))
  const query = fc.oneof(
    { weight: 9, arbitrary: strict },
    fc.stringMatching(/^[!-~]{0,40}$/).map((it) => it.replaceAll('#', '')),
  )
  let answered = 0
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const answer = await tracker.get(`/tasks/query?${text}`)
      expect([200, 400], answer.body).toContain(answer.statusCode)
      if (answer.statusCode === 200) answered += 1
    }),
    { numRuns: heavy(50_000) },
  )
  expect(answered).toBeGreaterThan(0)
  expect(await tracker.dump()).toEqual(before)
}, 240_000)
