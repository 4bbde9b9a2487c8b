import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Identity, Session } from '@portico/auth-server'
import { defineRoute, reply } from '@portico/http'
import { AuthorizeError, authorize } from '@portico/login'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { listen } from './support/listen.ts'
import { looks, openPages, type PagesServer, pages, visitPage } from './support/pages.ts'
import { startPeopleProvider } from './support/people-provider.ts'
import { ask, authorizeUrl } from './support/server.ts'

describe.skipIf(!chromium)('in a real browser', () => {
  let browser: Browser
  let shown: PagesServer & AsyncDisposable
  beforeAll(async () => {
    browser = await launchChromium()
    shown = await openPages()
  })
  afterAll(async () => {
    await browser?.close()
    await shown?.[Symbol.asyncDispose]()
  })

  const withoutScripts: BrowserContextOptions = { javaScriptEnabled: false }

  async function withPage(options: BrowserContextOptions, run: (page: Page) => Promise<unknown>): Promise<void> {
    const context = await browser.newContext(options)
    try {
      await run(await context.newPage())
    } finally {
      await context.close()
    }
  }

  /** Starts a login as a terminal program does, and answers its address. */
  async function startLogin(url: string) {
    let show: (address: string) => void = () => undefined
    const address = new Promise<string>((resolve) => {
      show = resolve
    })
    const result = authorize({
      authorizeUrl: `${url}/auth/authorize`,
      tokenUrl: `${url}/auth/token`,
      statusUrl: `${url}/auth/status`,
      openBrowser: false,
      onUrl: (it) => show(it),
    })
    result.catch(() => undefined)
    return { address: await address, result }
  }

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

  /** Presses Tab until the link or button with this name has the focus, then Enter. */
  async function pressOn(page: Page, name: string): Promise<void> {
    const target = page.getByRole('link', { name, exact: true }).or(page.getByRole('button', { name, exact: true }))
    for (let n = 0; n < 20; n += 1) {
      await page.keyboard.press('Tab')
      if (await target.evaluate((it) => it === document.activeElement)) return page.keyboard.press('Enter')
    }
    throw new Error(`${name} cannot be reached with Tab`)
  }

  it.each(Object.keys(looks))('a terminal login works with the keyboard only, without scripts: %s', async (look) => {
    const { server } = shown
    await withPage({ ...looks[look], ...withoutScripts }, async (page) => {
      const { address, result } = await startLogin(server.url)
      await page.goto(address)
      await pressOn(page, 'Continue with Example Work')
      await page.waitForURL(/localhost/)
      await pressOn(page, 'ada')
      await page.waitForURL(/auth\/continue/)
      expect(await heading(page)).toBe('Let a program use your account?')
      await pressOn(page, 'Allow')
      await page.waitForURL(/callback\?code=/)
      expect(await heading(page)).toBe('You are signed in')
      expect((await result).userId).toEqual(expect.any(String))
    })
  })

  it('a denial reaches the program and the person', async () => {
    const { server } = shown
    await withPage(withoutScripts, async (page) => {
      const { address, result } = await startLogin(server.url)
      await page.goto(address)
      await page.getByRole('link', { name: 'Example Work' }).click()
      await page.getByRole('link', { name: 'ada', exact: true }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.waitForURL(/error=access_denied/)
      expect(await heading(page)).toBe('The sign-in was declined')
      expect(await result.catch((it: unknown) => it)).toBeInstanceOf(AuthorizeError)
    })
  })

  it('a declined sign-in leads back to the providers, and another one succeeds', async () => {
    const { server } = shown
    await withPage(withoutScripts, async (page) => {
      const { address, result } = await startLogin(server.url)
      await page.goto(address)
      await page.getByRole('link', { name: 'Example Work' }).click()
      await page.getByRole('link', { name: 'decline' }).click()
      expect(await heading(page)).toBe('The sign-in was declined')
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('link', { name: 'Example Home' }).click()
      await page.getByRole('link', { name: 'eve', exact: true }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      expect(await result).toHaveProperty('accessToken')
    })
  })

  it('an account is proved and linked, with the login still under way', async () => {
    const { server } = shown
    await withPage(withoutScripts, async (page) => {
      await page.goto(`${server.url}/auth/sign-in?return_to=/auth/logout`)
      await page.getByRole('link', { name: 'Example Work' }).click()
      await page.getByRole('link', { name: 'ada', exact: true }).click()
    })
    await withPage(withoutScripts, async (page) => {
      const { address, result } = await startLogin(server.url)
      await page.goto(address)
      await page.getByRole('link', { name: 'Example Home' }).click()
      await page.getByRole('link', { name: 'like-ada' }).click()
      expect(await heading(page)).toBe('Is this your account?')
      await page.getByRole('link', { name: 'Example Work' }).click()
      await page.getByRole('link', { name: 'ada', exact: true }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      const { userId } = await result
      expect(await server.db.table(Identity).count({ userId: userId! })).toBe(2)
    })
  })

  it('an account of one’s own is opened beside one with the same address, with the login still under way', async () => {
    await using own = await openPages()
    const { server } = own
    await withPage(withoutScripts, (page) => pages['link-own']!(page, server.url))
    await withPage(withoutScripts, async (page) => {
      const { address, result } = await startLogin(server.url)
      await page.goto(address)
      await page.getByRole('link', { name: 'Example Post' }).click()
      await page.getByRole('button', { name: 'like-ada' }).click()
      expect(await heading(page)).toBe('Is this your account?')
      await pressOn(page, 'Create a separate account')
      await page.getByRole('button', { name: 'Allow' }).click()
      const { userId } = await result
      expect(await server.server.users.findById(userId!)).toMatchObject({ emailVerified: true })
    })
  })

  it('a provider of another site answers by form POST, and the Lax cookies are there', async () => {
    const { server } = shown
    await withPage(withoutScripts, async (page) => {
      const posts: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
      })
      await page.goto(`${server.url}/auth/sign-in?return_to=/auth/logout`)
      await page.getByRole('link', { name: 'Example Post' }).click()
      await page.getByRole('button', { name: 'kim', exact: true }).click()
      await page.waitForURL(/auth\/logout/)
      expect(posts).toEqual(['/auth/oauth/post/callback'])
      expect(await server.db.table(Session).count({ provider: 'post' })).toBe(1)
    })
  })

  it.each(['', 'no-referrer'])(
    'a person signs out from a page of the application, Referrer-Policy: %s',
    async (policy) => {
      await using people = await startPeopleProvider()
      const home = defineRoute({
        method: 'GET',
        path: '/',
        handler: () =>
          reply(
            '<!doctype html><title>App</title><form method="post" action="/auth/logout"><button>Sign out</button></form>',
            {
              headers: { 'content-type': 'text/html', ...(policy !== '' && { 'referrer-policy': policy }) },
            },
          ),
      })
      await using server = await listen(() => [people.provider('work')], {}, [home])
      await withPage(withoutScripts, async (page) => {
        await page.goto(`${server.url}/auth/sign-in`)
        await page.getByRole('link', { name: 'Work' }).click()
        await page.getByRole('link', { name: 'ada', exact: true }).click()
        expect(await server.db.table(Session).count()).toBe(1)
        await page.getByRole('button', { name: 'Sign out' }).click()
        expect(await heading(page)).toBe('You are signed out')
        expect(await server.db.table(Session).count()).toBe(0)
      })
    },
  )

  it('a person who goes to the address of the sign-out is asked, and signed out by the form', async () => {
    const { server } = shown
    await withPage(withoutScripts, async (page) => {
      await page.goto(`${server.url}/auth/sign-in?return_to=/auth/logout`)
      await page.getByRole('link', { name: 'Example Home' }).click()
      await page.getByRole('link', { name: 'eve', exact: true }).click()
      expect(await heading(page)).toBe('Sign out of Tracker?')
      await pressOn(page, 'Sign out')
      await page.waitForURL(/signed-out/)
      expect(await heading(page)).toBe('You are signed out')
    })
  })

  it.each(['127.0.0.1', '[::1]'])('the policy of the consent page lets the answer through to %s', async (host) => {
    const program = createServer((_, response) => response.end('received'))
    await new Promise<void>((resolve) => program.listen(0, host.replace(/[[\]]/g, ''), resolve))
    try {
      const { port } = program.address() as { port: number }
      const { server } = shown
      await withPage(withoutScripts, async (page) => {
        await page.goto(`${server.url}${authorizeUrl(ask({ redirect_uri: `http://${host}:${port}/cb` }))}`)
        await page.getByRole('link', { name: 'Example Work' }).click()
        await page.getByRole('link', { name: 'ada', exact: true }).click()
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/\/cb\?code=/)
        expect(await page.textContent('body')).toBe('received')
      })
    } finally {
      program.closeAllConnections()
      program.close()
    }
  })

  it('the policy of the consent page lets the client send the person on, wherever that is', async () => {
    const next = createServer((_, response) => response.end('arrived'))
    await new Promise<void>((resolve) => next.listen(0, 'localhost', resolve))
    const { port: nextPort } = next.address() as { port: number }
    const client = createServer((_, response) =>
      response.writeHead(303, { location: `http://localhost:${nextPort}/home` }).end(),
    )
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = client.address() as { port: number }
      const { server } = shown
      await withPage(withoutScripts, async (page) => {
        await page.goto(`${server.url}${authorizeUrl(ask({ redirect_uri: `http://127.0.0.1:${port}/cb` }))}`)
        await page.getByRole('link', { name: 'Example Work' }).click()
        await page.getByRole('link', { name: 'ada', exact: true }).click()
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/\/home$/)
        expect(await page.textContent('body')).toBe('arrived')
      })
    } finally {
      for (const it of [next, client]) {
        it.closeAllConnections()
        it.close()
      }
    }
  })

  const shownPages = Object.keys(pages).flatMap((name) => Object.keys(looks).map((look) => [name, look] as const))

  it.each(shownPages)('the page "%s" is accessible, readable and quiet: %s', async (name, look) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await visitPage(browser, shown, name, looks[look]!, async (page) => {
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      await page.evaluate(axe)
      const seen = await page.evaluate(async () => {
        const { violations } = await (
          globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          }
        ).axe.run()
        return {
          violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
          overflow: document.documentElement.scrollWidth - window.innerWidth,
          language: document.documentElement.lang,
          headings: document.querySelectorAll('h1').length,
          card: getComputedStyle(document.querySelector('main') as Element).backgroundColor,
          // The style is applied: its hash is the one of the policy.
          maxWidth: getComputedStyle(document.querySelector('main') as Element).maxWidth,
          targets: [...document.querySelectorAll('.button')].map((it) => it.getBoundingClientRect().height),
        }
      })
      expect({ name, look, ...seen }).toMatchObject({ violations: [], language: 'en', headings: 1 })
      expect(seen.overflow).toBeLessThanOrEqual(0)
      expect(seen.card).toBe(look === 'dark' ? 'rgb(24, 30, 40)' : 'rgb(255, 255, 255)')
      for (const height of seen.targets) expect(height).toBeGreaterThanOrEqual(44)
      expect(problems).toEqual([])
    })
  })
})
