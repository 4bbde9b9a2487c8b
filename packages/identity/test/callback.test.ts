import { readCallback } from '@portico/identity'
import { describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'

const good = { code: `code-${MARK}`, state: `state-${MARK}` }
const kinds: [name: string, make: (query: string) => Parameters<typeof readCallback>[0]][] = [
  ['URLSearchParams', (query) => new URLSearchParams(query)],
  ['a record', (query) => recordOf(query)],
]

/** A query as Fastify and others parse it: a string, or a list for a repeated parameter. */
function recordOf(query: string): Record<string, string | string[] | undefined> {
  const params = new URLSearchParams(query)
  return Object.fromEntries(
    [...params.keys()].map((name) => {
      const values = params.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

describe.each(kinds)('readCallback of %s', (_name, make) => {
  const query = `code=${good.code}&state=${good.state}`
  const refusal = (text: string) => failureOf(() => readCallback(make(text)))

  test('returns code and state, and the user of a form post', () => {
    expect(readCallback(make(query))).toEqual(good)
    expect(readCallback(make(`${query}&iss=x`))).toEqual(good)
    expect(readCallback(make(`${query}&user=%7B%7D`))).toEqual({ ...good, user: '{}' })
  })

  test('throws PROVIDER_DENIED for an error, whatever else the callback contains', async () => {
    for (const text of ['error=access_denied', `${query}&error=access_denied`, 'error=access_denied&error=b']) {
      const error = await refusal(text)
      expect(error).toMatchObject({ type: 'PROVIDER_DENIED', details: { error: 'access_denied' } })
    }
  })

  test('treats an error that does not look like a code as an error, without quoting it', async () => {
    for (const text of ['error=', `error=code-${MARK}`, 'error=%3Cscript%3E', `error=${'a'.repeat(65)}`])
      expect(await refusal(text)).toMatchObject({ type: 'PROVIDER_DENIED', details: {} })
    expect((await refusal(`error=x&error_description=${MARK}`)).message).toBe('The provider did not grant the sign-in')
  })

  test.each(['missing', 'empty', 'repeated'])('refuses a %s state', async (how) => {
    const text = { missing: 'code=c', empty: 'code=c&state=', repeated: 'code=c&state=a&state=a' }[how]!
    expect((await refusal(text)).type).toBe('STATE_INVALID')
  })

  test.each(['missing', 'empty', 'repeated'])('refuses a %s code', async (how) => {
    const text = { missing: 'state=s', empty: 'state=s&code=', repeated: `state=s&code=a&code=${MARK}` }[how]!
    expect((await refusal(text)).type).toBe('EXCHANGE_FAILED')
  })

  test('checks the state before the code', async () => {
    expect((await refusal('')).type).toBe('STATE_INVALID')
  })

  test('ignores a repeated user', () => {
    expect(readCallback(make(`${query}&user=a&user=b`))).toEqual(good)
  })
})

test('reads only own fields of a record', async () => {
  const inherited = Object.create(good) as Record<string, string>
  expect((await failureOf(() => readCallback(inherited))).type).toBe('STATE_INVALID')
  expect(readCallback({ ...good, state: [good.state], error: undefined })).toEqual(good)
})

test('refuses a code or state that is not a string, and accepts any error', async () => {
  const odd = (params: object) => failureOf(() => readCallback({ ...good, ...params } as never))
  expect((await odd({ error: { x: 'y' } })).type).toBe('PROVIDER_DENIED')
  expect((await odd({ state: [good.state, { x: 'y' }] })).type).toBe('STATE_INVALID')
  expect((await odd({ code: [good.code, { x: 'y' }] })).type).toBe('EXCHANGE_FAILED')
})

test('readCallback of something without parameters says what to pass', async () => {
  const query = 'code=c&state=s'
  const url = `https://app.example/callback?${query}`
  const form = new FormData()
  form.set('state', 's')
  for (const wrong of [
    url,
    query,
    new URL(url),
    new Request(url),
    form,
    new Map([['state', 's']]),
    [],
    null,
    undefined,
  ]) {
    const error = await failureOf(() => readCallback(wrong as never))
    expect(error.type).toBe('STATE_INVALID')
    expect(error.message).toContain('new URL(request.url, base).searchParams')
  }
})

test('readCallback accepts records with any prototype, as query parsers create them', () => {
  class Query {}
  const records: object[] = [new Query(), Object.create(null) as object]
  for (const record of records) expect(readCallback(Object.assign(record, good) as typeof good)).toEqual(good)
})
