// A sign-in, a consent, a token and its status, on any Node, as users import it. SQLite's driver is native: where it was
// built for another version of Node, the options alone are checked.
import assert from 'node:assert/strict'
import { AuthServerError, authTables, createAuthServer, createClientSecret } from '@portico/auth-server'
import { DbError, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { createApp } from '@portico/http'
import { createPkcePair, FakeIdentityProvider } from '@portico/identity'

assert.match(createClientSecret().hash, /^[\w-]{43}$/)
const db = await openDatabase(sqlite({ file: ':memory:' })).catch((error) => {
  if (error instanceof DbError && error.code === 'DRIVER_MISSING') return undefined
  throw error
})
if (db) {
  await db.sync(authTables)
  const baseUrl = 'http://127.0.0.1:3000'
  const providers = [new FakeIdentityProvider({ defaultProfile: { subject: 'ada', raw: {} } })]
  const options = { db, baseUrl, providers, secret: 'a secret of thirty-two bytes or more' }
  assert.throws(() => createAuthServer({ ...options, secret: 'short' }), AuthServerError)
  const app = createApp().register(createAuthServer(options).routes)

  const cookies = new Map()
  /** @param {'GET' | 'POST'} method @param {string} url @param {Record<string, string>} [form] */
  const send = async (method, url, form) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = form && { payload: new URLSearchParams(form).toString() }
    const answer = await app.inject({ method, url, headers: { cookie, origin: baseUrl, ...type }, ...payload })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  const start = await send('GET', '/auth/oauth/fake/start')
  const state = new URL(String(start.headers.location)).searchParams.get('state') ?? ''
  await send('GET', `/auth/oauth/fake/callback?${new URLSearchParams({ code: 'x', state })}`)

  const { verifier, challenge } = createPkcePair()
  const redirect_uri = 'http://127.0.0.1:4000/callback'
  const asked = { response_type: 'code', redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' }
  const request = await send('GET', `/auth/authorize?${new URLSearchParams(asked)}`)
  const page = await send('GET', String(request.headers.location))
  const fields = [...page.body.matchAll(/name="(\w+)" value="([\w-]{43})"/g)].map(([, name, value]) => [name, value])
  const granted = await send('POST', '/auth/consent', { ...Object.fromEntries(fields), decision: 'allow' })
  const code = new URL(String(granted.headers.location)).searchParams.get('code') ?? ''

  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri }
  const { access_token: token, userId } = (await send('POST', '/auth/token', form)).json()
  const status = await app.inject({ url: '/auth/status', headers: { authorization: `Bearer ${token}` } })
  assert.equal(status.json().userId, userId)
  await app.close()
  await db.close()
}
