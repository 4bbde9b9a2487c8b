import { Auth, type AuthConfig } from '@auth/core'
import { createClientSecret } from '@portico/auth-server'
import { expect, it } from 'vitest'
import { HttpBrowser } from './support/http-browser.ts'
import { instantProvider } from './support/instant-provider.ts'
import { listen } from './support/listen.ts'

const site = 'http://127.0.0.1:9'
const redirectUri = `${site}/auth/callback/main`

/** The site of Auth.js, with the cookies of one browser. */
function openSite(config: AuthConfig) {
  const jar = new Map<string, string>()
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const answer = await Auth(new Request(site + path, { ...init, headers }), config)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      jar.set(name, value)
    }
    return answer
  }
}

it.each([
  ['a confidential client', 'ES256', {}],
  ['a confidential client', 'RS256', { token_endpoint_auth_method: 'client_secret_post' }],
  ['a public client', 'ES256', { token_endpoint_auth_method: 'none' }],
] as const)('Auth.js signs in as %s: %s', async (kind, idTokenSigningAlg, client) => {
  const { secret, hash } = createClientSecret()
  const credentials = { clientId: 'next', ...(kind === 'a confidential client' && { clientSecret: secret }) }
  const secretHashes = kind === 'a confidential client' ? [hash] : []
  const registered = { id: 'next', name: 'Next', redirectUris: [redirectUri], secretHashes, idTokenSigningAlg }
  await using server = await listen((url) => [instantProvider(url)], { clients: [registered] })
  const ask = openSite({
    trustHost: true,
    basePath: '/auth',
    secret: 'a secret of thirty-two bytes or more',
    useSecureCookies: false,
    providers: [{ id: 'main', name: 'Main', type: 'oidc', issuer: server.url, ...credentials, client }],
  })
  const { csrfToken } = (await (await ask('/auth/csrf')).json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, callbackUrl: `${site}/` })
  const started = await ask('/auth/signin/main', { method: 'POST', body })
  const callback = await new HttpBrowser().grant(started.headers.get('location')!, redirectUri)
  const done = await ask(callback.pathname + callback.search)
  expect([done.status, done.headers.get('location')]).toEqual([302, `${site}/`])
  expect(await (await ask('/auth/session')).json()).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@x.example' },
  })
})
