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
    await writeFile(join(folder, 'second.mjs'), second)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('has a sign-in in twenty lines that runs as it stands', async () => {
    expect(first.trim().split('\n')).toHaveLength(20)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'first.mjs')])
    expect(stderr).toBe('')
    const [go, signedIn] = stdout.trim().split('\n')
    expect(go).toMatch(/^Go to https:\/\/fake\.example\/authorize\?response_type=code&.*code_challenge_method=S256/)
    expect(signedIn).toBe('Signed in: created and on to /inbox')
  })

  test('has a web application that signs a browser in, and only the browser that began', async () => {
    const port = await freePort()
    const server = spawn(process.execPath, [join(folder, 'second.mjs'), String(port)])
    try {
      const open = await firstLine(server)
      expect(open).toBe(`Open http://127.0.0.1:${port}/login/fake`)
      const begun = await fetch(`http://127.0.0.1:${port}/login/fake`, { redirect: 'manual' })
      const location = begun.headers.get('location')!
      const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
      const elsewhere = await fetch(location)
      expect([elsewhere.status, await elsewhere.text()]).toEqual([400, 'This sign-in was not begun in this browser\n'])
      const replayed = await fetch(location, { headers: { cookie } })
      expect(replayed.status).toBe(400)

      const again = await fetch(`http://127.0.0.1:${port}/login/fake`, { redirect: 'manual' })
      const headers = { cookie: again.headers.get('set-cookie')!.split(';')[0]! }
      const page = await fetch(again.headers.get('location')!, { headers })
      expect([page.status, await page.text()]).toEqual([200, 'Ada: created. Next: /\n'])
      const unknown = await fetch(`http://127.0.0.1:${port}/login/nobody`)
      expect([unknown.status, await unknown.text()]).toEqual([400, 'No provider is registered under this id\n'])
    } finally {
      server.kill('SIGKILL')
      await once(server, 'close')
    }
  })
})

describe('the pages of the providers', () => {
  const options: Record<string, Record<string, true>> = {
    'oidc.md': {
      issuer: true,
      clientId: true,
      clientSecret: true,
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

  test('are all there, each reachable from the README', async () => {
    const pages = await readdir(join(root, folder))
    expect(pages.sort()).toEqual([...Object.keys(options), 'own.md'].sort())
    for (const page of pages) expect(readme).toContain(`(../../${folder}/${page})`)
  })
})

test('the reference of the errors is what the code says: renew it with npm run docs -- identity', async () => {
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
