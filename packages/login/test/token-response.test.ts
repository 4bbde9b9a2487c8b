import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Answer, answerJson, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { failSignIn, signIn } from './support/login.ts'

/** The result of a login with this token response. */
async function resultOf(body: object) {
  await using server = await startAuthorizationServer({ token: answerJson({ access_token: 't', ...body }) })
  const { statusUrl: _, ...options } = server.options
  return (await signIn(options)).result
}

async function failureOf(token: Answer) {
  await using server = await startAuthorizationServer({ token })
  return (await failSignIn(server.options, 'exchange_failed')).error
}

describe('the token response', () => {
  it('needs no more than an access token', async () => {
    expect(await resultOf({})).toEqual({ accessToken: 't' })
  })

  it.each([
    [3600, 3600],
    [0, 0],
    [1.5, 1.5],
    ['3600', 3600],
  ])('reads expires_in %o as %d seconds', async (given, expected) => {
    expect((await resultOf({ expires_in: given })).expiresIn).toBe(expected)
  })

  it.each([
    ['soon'],
    [''],
    [' '],
    [null],
    [true],
    [[3600]],
    [{}],
    [-1],
    ['-1'],
    ['Infinity'],
    ['0x10'],
    ['1e3'],
    [' 5'],
  ])('ignores an expires_in of %o', async (given) => {
    expect(await resultOf({ expires_in: given })).not.toHaveProperty('expiresIn')
  })

  it('ignores an expires_in that is too large for a number', async () => {
    await using server = await startAuthorizationServer({
      token: (response) => response.end('{"access_token":"t","expires_in":1e999}'),
    })
    const { statusUrl: _, ...options } = server.options
    expect((await signIn(options)).result).toEqual({ accessToken: 't' })
  })

  it.each([[7], [null], [{}], ['']])('ignores an id_token or user id of %o', async (wrong) => {
    expect(await resultOf({ id_token: wrong, userId: wrong, user_id: wrong })).toEqual({ accessToken: 't' })
  })

  it('also reads user_id, but prefers userId', async () => {
    expect((await resultOf({ user_id: 'b' })).userId).toBe('b')
    expect((await resultOf({ user_id: 'b', userId: 'a' })).userId).toBe('a')
    expect((await resultOf({ user_id: 'b', userId: 5 })).userId).toBe('b')
  })

  it('accepts bearer tokens in any spelling, and refuses any other type', async () => {
    expect((await resultOf({ token_type: 'bearer' })).accessToken).toBe('t')
    expect((await failureOf(answerJson({ access_token: 't', token_type: 'DPoP' }))).message).toContain('bearer')
  })

  it.each([
    ['null', 'null'],
    ['an array', '[{"access_token":"t"}]'],
    ['text', '"t"'],
    ['a number', '5'],
    ['nothing', ''],
    ['HTML', '<html>sign in</html>'],
    ['a form', 'access_token=SECRET-TOKEN'],
    ['half of its JSON', '{"access_token":"SECRET-TOKEN'],
    ['no access token', '{"token_type":"bearer"}'],
    ['an empty access token', '{"access_token":""}'],
    ['a number as access token', '{"access_token":5}'],
    ['a null access token', '{"access_token":null}'],
    ['an object as access token', '{"access_token":{"value":"SECRET-TOKEN"}}'],
  ])('that is %s ends with exchange_failed, without its text in the error', async (_, body) => {
    const error = await failureOf((response) => response.end(body))
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('SECRET-TOKEN')
  })

  it.each([201, 299])('may have any 2xx status: %d', async (status) => {
    await using server = await startAuthorizationServer({
      token: answerJson({ access_token: 't', userId: 'u' }, status),
      status: answerJson({}),
    })
    expect((await signIn(server.options)).result.accessToken).toBe('t')
  })

  it.each([300, 400, 401, 404, 500, 503])(
    'with status %d ends with exchange_failed, whatever its body',
    async (status) => {
      const error = await failureOf(answerJson({ access_token: 't' }, status))
      expect(error.message).toContain(String(status))
    },
  )

  it('shows the error of the server', async () => {
    const error = await failureOf(answerJson({ error: 'invalid_grant', error_description: 'the code is too old' }, 400))
    expect(error.message).toContain('400: invalid_grant, in the server’s words “the code is too old”')
  })

  it('ends with exchange_failed, and a cause, if no server listens at tokenUrl', async () => {
    const gone = await startAuthorizationServer()
    await gone[Symbol.asyncDispose]()
    await using server = await startAuthorizationServer()
    const { error } = await failSignIn({ ...server.options, tokenUrl: gone.options.tokenUrl }, 'exchange_failed')
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('ends with exchange_failed if the connection breaks midway', async () => {
    const error = await failureOf((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"access_token":')
      setTimeout(() => response.destroy(), 10)
    })
    expect(error.cause).toBeInstanceOf(Error)
  })
})
