import { AuditEvent } from '@portico/auth-server'
import { describe, expect, it } from 'vitest'
import { fieldsOf, origin, titleOf } from './support/browser.ts'
import {
  ask,
  authorizeUrl,
  getStatus,
  logIn,
  obtainCallback,
  reachConsent,
  redemption,
  sendForm,
  startServer,
} from './support/server.ts'

describe('a loopback client', () => {
  it('gets a token for who signed in and consented, and the status tells whose it is', async () => {
    await using it = await startServer()
    const asked = ask({ scope: 'tasks' })
    const callback = await obtainCallback(it.browser(), asked)
    expect(callback.href).toMatch(/^http:\/\/127\.0\.0\.1:4100\/callback\?code=/)
    expect(callback.searchParams.get('state')).toBe(asked.params['state'])
    expect(callback.searchParams.get('iss')).toBe(origin)
    const answer = await sendForm(it.app, '/auth/token', redemption(asked, callback))
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const tokens = answer.json()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 30 * 86_400,
      scope: 'tasks',
      userId: expect.any(String),
    })
    const status = await getStatus(it.app, tokens.access_token)
    expect(status.statusCode).toBe(200)
    expect(status.json()).toEqual({ userId: tokens.userId, expiresAt: it.clock.time + 30 * 86_400_000 })
    const user = await it.server.users.findById(tokens.userId)
    expect(user).toMatchObject({ email: 'ada@x.example', displayName: 'Ada Lovelace', active: true })
  })
})
