import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { answerJson, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { failSignIn, signIn } from './support/login.ts'

const token = answerJson({ access_token: 'status-secret-token' })

describe('the status confirmation', () => {
  it.each([
    ['userId', { userId: 'from-status' }],
    ['user_id', { user_id: 'from-status' }],
  ])('supplies the user id from %s if the token response has none', async (_, body) => {
    await using server = await startAuthorizationServer({ token, status: answerJson(body) })
    expect((await signIn(server.options)).result).toEqual({ accessToken: 'status-secret-token', userId: 'from-status' })
  })

  it('does not replace the user id of the token response', async () => {
    await using server = await startAuthorizationServer({
      token: answerJson({ access_token: 't', user_id: 'first' }),
      status: answerJson({ userId: 'second' }),
    })
    expect((await signIn(server.options)).result.userId).toBe('first')
  })

  it.each([[''], ['null'], ['[]'], ['<html>'], ['{"userId":5}'], ['{"userId":""}']])(
    'passes with 200 and an unreadable body: %s',
    async (body) => {
      await using server = await startAuthorizationServer({ token, status: (response) => response.end(body) })
      expect((await signIn(server.options)).result).toEqual({ accessToken: 'status-secret-token' })
    },
  )

  it.each([201, 204, 302, 304, 401, 403, 404, 500])('ends with status_check_failed on %d', async (status) => {
    await using server = await startAuthorizationServer({
      token,
      status: (response) => response.writeHead(status, { location: '/elsewhere' }).end(),
    })
    const { error, text } = await failSignIn(server.options, 'status_check_failed')
    expect(error.message).toContain(String(status))
    expect(text).toContain('The sign-in failed')
  })

  it('ends with status_check_failed, and a cause, on a network failure', async () => {
    const gone = await startAuthorizationServer()
    await gone[Symbol.asyncDispose]()
    await using server = await startAuthorizationServer({ token })
    const { error } = await failSignIn({ ...server.options, statusUrl: gone.options.statusUrl }, 'status_check_failed')
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('ends with status_check_failed for a token that cannot be sent in a header, without showing it', async () => {
    await using server = await startAuthorizationServer({ token: answerJson({ access_token: 'secret\ntoken' }) })
    const { error } = await failSignIn(server.options, 'status_check_failed')
    expect(inspect(error, { depth: null })).not.toMatch(/secret|token"/)
    expect(server.seen.status).toHaveLength(0)
  })
})
