import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type {
  AlphaProviderOptions,
  BetaProviderOptions,
  FakeIdentityProviderOptions,
  GammaProviderOptions,
  OidcProviderOptions,
} from '@portico/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorReference, renderErrorReference } from '../../../scripts/docs/identity.ts'
import { root } from '../../../scripts/run.mjs'

const read = (...path: string[]) => readFile(join(root, ...path), 'utf8')
const readme = await read('packages/identity/README.md')

describe('the README', () => {
  const [first = '', second = ''] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-identity-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'first.mjs'), first)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('has a sign-in in twenty lines that runs unchanged', async () => {
    expect(first.trim().split('\n').length).toBeLessThanOrEqual(20)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'first.mjs')])
    expect(stderr).toBe('')
    const [go, signedIn] = stdout.trim().split('\n')
    expect(go).toMatch(/^Go to https:\/\/fake\.example\/authorize\?response_type=code&.*code_challenge_method=S256/)
    expect(signedIn).toBe('Signed in: created and on to /inbox')
  })

  /** Runs the web application in the README, optionally changed by `edit`. */
  async function withApplication(use: (base: string) => Promise<void>, edit = (code: string) => code): Promise<void> {
    const port = await freePort()
    const file = join(folder, `application-${port}.mjs`)
    await writeFile(file, edit(second))
    const server = spawn(process.execPath, [file, String(port)])
    try {
      expect(await firstLine(server)).toBe(`Open http://127.0.0.1:${port}/login/fake`)
      await use(`http://127.0.0.1:${port}`)
    } finally {
      server.kill('SIGKILL')
      await once(server, 'close')
    }
  }

  async function begin(url: string): Promise<{ location: string; cookie: string; setCookie: string }> {
    const response = await fetch(url, { redirect: 'manual' })
    const setCookie = response.headers.get('set-cookie')!
    return { location: response.headers.get('location')!, cookie: setCookie.split(';')[0]!, setCookie }
  }

  async function open(url: string, cookie = ''): Promise<[status: number, text: string]> {
    const response = await fetch(url, { headers: { cookie } })
    return [response.status, await response.text()]
  }

  const notStartedHere = [400, 'This sign-in was not started in this browser\n']

  test('has a web application that signs in only the browser that started', () =>
    withApplication(async (base) => {
      const { location, cookie, setCookie } = await begin(`${base}/login/fake`)
      expect(setCookie).toMatch(/^login-[\w-]{43}=1; HttpOnly; SameSite=Lax; Path=\/auth; Max-Age=600$/)
      expect(await open(location)).toEqual(notStartedHere)
      expect(await open(location, cookie.replace(/.=1$/, '=1'))).toEqual(notStartedHere)
      // An attempt from another browser does not break the sign-in of the first one. Other cookies do not matter.
      expect(await open(location, `theme=dark; ${cookie}; lang=en`)).toEqual([200, 'Ada: created. Next: /\n'])
      expect(await open(location, cookie)).toEqual(notStartedHere)
      expect(await open(`${base}/login/nobody`)).toEqual([400, 'No provider is registered under this id\n'])
      expect((await open(`${base}/login/%E0%A4%A`))[0]).toBe(400)
      expect((await open(`${base}/favicon.ico`))[0]).toBe(404)
    }))

  test('has a web application in which two tabs can sign in at once', () =>
    withApplication(async (base) => {
      const tabs = [await begin(`${base}/login/fake`), await begin(`${base}/login/fake`)]
      const cookies = tabs.map(({ cookie }) => cookie).join('; ')
      const pages = [await open(tabs[0]!.location, cookies), await open(tabs[1]!.location, cookies)]
      expect(pages.map(([status]) => status)).toEqual([200, 200])
    }))

  test('has a web application that works with the default id of an OidcProvider', () => {
    const id = encodeURIComponent('oidc:https://login.example')
    return withApplication(
      async (base) => {
        const { location, cookie } = await begin(`${base}/login/${id}`)
        expect(location).toContain(`${base}/auth/oauth/${id}/callback?`)
        expect(await open(location, cookie)).toEqual([200, 'Ada: created. Next: /\n'])
      },
      (code) =>
        code
          .replace('oauth/fake/callback', `oauth/${id}/callback`)
          .replace('FakeIdentityProvider({', "FakeIdentityProvider({ id: 'oidc:https://login.example',"),
    )
  })
})

describe('the pages of the providers', () => {
  const options: Record<string, Record<string, true>> = {
    'oidc.md': {
      issuer: true,
      clientId: true,
      clientSecret: true,
      clientAuth: true,
      clientKey: true,
      id: true,
      scopes: true,
      idTokenSigningAlgs: true,
      authorizationEndpoint: true,
      tokenEndpoint: true,
      jwksUri: true,
      discovery: true,
      jwks: true,
      clockToleranceSec: true,
      jwksCacheTtlMs: true,
      clock: true,
      fetch: true,
    } satisfies Record<keyof OidcProviderOptions, true>,
    'alpha.md': {
      clientId: true,
      clientSecret: true,
      clientAuth: true,
      clientKey: true,
      scopes: true,
      idTokenSigningAlgs: true,
      authorizationEndpoint: true,
      tokenEndpoint: true,
      jwksUri: true,
      discovery: true,
      jwks: true,
      clockToleranceSec: true,
      jwksCacheTtlMs: true,
      clock: true,
      fetch: true,
    } satisfies Record<keyof AlphaProviderOptions, true>,
    'beta.md': {
      clientId: true,
      clientSecret: true,
      id: true,
      scopes: true,
      userAgent: true,
      authorizationEndpoint: true,
      tokenEndpoint: true,
      userEndpoint: true,
      emailsEndpoint: true,
      fetch: true,
    } satisfies Record<keyof BetaProviderOptions, true>,
    'gamma.md': {
      clientId: true,
      teamId: true,
      keyId: true,
      privateKey: true,
      scopes: true,
      clientSecretTtlSec: true,
      authorizationEndpoint: true,
      tokenEndpoint: true,
      jwksUri: true,
      discovery: true,
      jwks: true,
      clockToleranceSec: true,
      jwksCacheTtlMs: true,
      clock: true,
      fetch: true,
    } satisfies Record<keyof GammaProviderOptions, true>,
    'fake.md': {
      id: true,
      authorizationEndpoint: true,
      defaultProfile: true,
    } satisfies Record<keyof FakeIdentityProviderOptions, true>,
  }
  const folder = 'docs/guide/providers'

  test.each(Object.entries(options))(
    '%s has the same headings as the others and lists every option',
    async (file, names) => {
      const page = await read(folder, file)
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
      expect(headings).toEqual(['When to use it', 'Set it up', 'Options', 'What you get', 'Good to know'])
      const section = page.split('## Options')[1]!.split('\n## ')[0]!
      expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(names))
    },
  )

  test('all exist, and the README links to each', async () => {
    const pages = await readdir(join(root, folder))
    expect(pages.sort()).toEqual([...Object.keys(options), 'own.md', 'README.md'].sort())
    for (const page of pages) expect(readme).toContain(`(../../${folder}/${page})`)
  })
})

test.each(['linking.md', 'stores.md'])('the README links to the guide %s', async (page) => {
  expect(readme).toContain(`(../../docs/guide/${page})`)
  expect(await read('docs/guide', page)).toMatch(/^# /)
})

test('the error reference matches the code: update it with npm run docs -- identity', async () => {
  expect(await read(errorReference)).toBe(renderErrorReference())
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout!) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]!
}
