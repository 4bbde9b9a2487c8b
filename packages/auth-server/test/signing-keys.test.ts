import { hkdfSync } from 'node:crypto'
import { SigningKey } from '@portico/auth-server'
import { compactDecrypt, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  askAsWeb,
  clientSecret,
  obtainCallback,
  redemption,
  secret,
  sendForm,
  startServer,
  type TestServer,
  type Tokens,
} from './support/server.ts'

const day = 86_400

async function obtainIdToken(it: TestServer): Promise<string> {
  const asked = askAsWeb()
  const form = {
    ...redemption(asked, await obtainCallback(it.browser(), asked)),
    client_id: 'web',
    client_secret: clientSecret,
  }
  return (await sendForm(it.app, '/auth/token', form)).json<Tokens>().id_token!
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

async function kidsOf(it: TestServer): Promise<unknown[]> {
  return (await it.app.inject('/auth/jwks')).json<JSONWebKeySet>().keys.map(({ kid }) => kid)
}

describe('signing keys', () => {
  it('are published without their private part, and stored encrypted', async () => {
    await using it = await startServer()
    const { keys } = (await it.app.inject('/auth/jwks')).json<JSONWebKeySet>()
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
    const row = (await it.db.table(SigningKey).findOne({}))!
    expect(row.privateKey).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(JSON.parse(Buffer.from(row.privateKey.split('.')[0]!, 'base64url').toString())).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
    })
  })

  it('are encrypted with a derived key that is the same in every version: they outlive the process', async () => {
    await using it = await startServer()
    await it.app.inject('/auth/jwks')
    const { privateKey } = (await it.db.table(SigningKey).findOne({}))!
    const open = (purpose: string) =>
      compactDecrypt(privateKey, new Uint8Array(hkdfSync('sha256', secret, '', `portico auth-server ${purpose}`, 32)))
    expect(JSON.parse(new TextDecoder().decode((await open('signing keys')).plaintext))).toHaveProperty('d')
    for (const purpose of ['forms', 'states']) await expect(open(purpose)).rejects.toThrow('decryption')
  })

  it('rotate: the next one is published a day before it signs, the last one while its tokens are valid', async () => {
    await using it = await startServer()
    const first = kidOf(await obtainIdToken(it))
    expect(await kidsOf(it)).toEqual([first])
    it.clock.pass(89 * day - 61)
    expect(kidOf(await obtainIdToken(it))).toBe(first)
    expect(await kidsOf(it)).toHaveLength(1)
    it.clock.pass(61)
    const token = await obtainIdToken(it)
    expect(kidOf(token)).toBe(first)
    const both = await kidsOf(it)
    expect(both).toHaveLength(2)
    it.clock.pass(day)
    const second = kidOf(await obtainIdToken(it))
    expect(second).not.toBe(first)
    expect(both).toContain(second)
    // A token signed by the last one still verifies.
    const keys = createLocalJWKSet((await it.app.inject('/auth/jwks')).json<JSONWebKeySet>())
    await jwtVerify(token, keys, { currentDate: new Date(it.clock.time - day * 1000) })
    it.clock.pass(day + 301)
    expect(await kidsOf(it)).toEqual([second])
  })

  it('are created again under another secret, while the earlier ones stay published', async () => {
    await using it = await startServer()
    const before = kidOf(await obtainIdToken(it))
    await using other = await startServer({
      db: it.db,
      clock: it.clock,
      secret: 'another secret of more than thirty-two bytes',
    })
    const after = kidOf(await obtainIdToken(other))
    expect(after).not.toBe(before)
    expect(new Set(await kidsOf(other))).toEqual(new Set([before, after]))
  })

  it('last as long as the options say', async () => {
    await using it = await startServer({ lifetimes: { signingKeySec: 1000 } })
    const first = kidOf(await obtainIdToken(it))
    it.clock.pass(1000)
    expect(kidOf(await obtainIdToken(it))).not.toBe(first)
  })
})
