import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecurityScheme, SpecControllerOptions } from '@portico/spec'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { startOpenidProvider } from '../../../test/support/openid-provider.ts'
import { openLibrary } from './support/library-app.ts'

interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly url: string
  /** Errors and warnings of the page. */
  readonly problems: string[]
  /** The requests that it made, as the addresses they went to. */
  readonly requests: string[]
}

describe.skipIf(!chromium)('the docs page in a real browser', { timeout: 60_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  /** Opens the docs page of the library. Whatever a test does there, nothing may leave this machine. */
  async function visit(work: (visit: Visit) => Promise<void>, options: SpecControllerOptions = {}): Promise<void> {
    await using library = await openLibrary(options)
    const url = await library.app.listen()
    const context = await browser.newContext()
    const problems: string[] = []
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
    })
    try {
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`${url}/api-docs`)
      await page.locator('.opblock').first().waitFor()
      await work({ page, context, url, problems, requests })
      expect(requests.filter((it) => new URL(it).hostname !== '127.0.0.1')).toEqual([])
    } finally {
      await context.close()
    }
  }

  const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`).first()

  async function tryOut(page: Page, id: string): Promise<void> {
    await operation(page, id).locator('.opblock-summary-control').click()
    await operation(page, id).locator('.try-out__btn').click()
  }

  async function execute(page: Page, id: string): Promise<string> {
    await operation(page, id).locator('button.execute').click()
    const status = operation(page, id).locator('.live-responses-table tbody .response-col_status').first()
    await status.waitFor()
    return ((await status.textContent()) ?? '').trim().split('\n')[0]!
  }

  it('opens without a complaint under its policy, and lists the tags in their order', async () => {
    await visit(async ({ page, problems }) => {
      expect(await page.title()).toBe('The <library> & more')
      const tags = await page.locator('.opblock-tag').evaluateAll((all) => all.map((it) => it.getAttribute('data-tag')))
      expect(tags).toEqual(['books', 'search', 'catalog', 'authors', 'loans'])
      expect(await page.locator('.opblock-tag[data-tag="books"]').textContent()).toContain('What can be read.')
      expect(problems).toEqual([])
    })
  })

  it('strikes through what is deprecated, and nothing else', async () => {
    await visit(async ({ page }) => {
      const decorated = await page
        .locator('.opblock')
        .evaluateAll((all) =>
          all
            .filter(
              (it) =>
                getComputedStyle(it.querySelector('.opblock-summary-path, .opblock-summary-path__deprecated')!)
                  .textDecorationLine === 'line-through',
            )
            .map((it) => it.id),
        )
      expect(decorated).toEqual(['operations-catalog-GET__catalog_count'])
    })
  })

  it('"Try it out" on a table route sends no filter by itself, and answers 200 with its records', async () => {
    await visit(async ({ page, problems, requests }) => {
      await tryOut(page, 'GET__books_query')
      expect(await execute(page, 'GET__books_query')).toBe('200')
      expect(requests.filter((it) => it.includes('/books/query')).map((it) => new URL(it).search)).toEqual([''])
      const body = operation(page, 'GET__books_query').locator('.live-responses-table .highlight-code').first()
      expect(await body.textContent()).toContain('The Dispossessed')
      expect(problems).toEqual([])
    })
  })

  it('sends a bearer token that was pasted, remembers it for the session, and forgets it after', async () => {
    await visit(async ({ page, context, url }) => {
      await tryOut(page, 'GET__loans_query')
      expect(await execute(page, 'GET__loans_query')).toBe('401')
      await page.locator('.scheme-container .btn.authorize').click()
      const form = page.locator('.auth-container', { hasText: 'bearer' }).first()
      await form.locator('input').fill('librarian')
      await form.locator('button.authorize').click()
      await page.locator('.btn-done').first().click()
      expect(await execute(page, 'GET__loans_query')).toBe('200')
      await page.goto(`${url}/api-docs`)
      await tryOut(page, 'GET__loans_query')
      expect(await execute(page, 'GET__loans_query')).toBe('200')
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
      const other = await context.newPage()
      await other.goto(`${url}/api-docs`)
      await tryOut(other, 'GET__loans_query')
      expect(await execute(other, 'GET__loans_query')).toBe('401')
      await page.locator('.scheme-container .btn.authorize').click()
      await page.locator('.auth-container button', { hasText: 'Logout' }).first().click()
      await page.goto(`${url}/api-docs`)
      await tryOut(page, 'GET__loans_query')
      expect(await execute(page, 'GET__loans_query')).toBe('401')
    })
  })

  describe('sign-in through an authorization server', () => {
    const redirect = 'http://127.0.0.1/api-docs/assets/oauth2-redirect.html'
    const client = {
      client_id: 'docs',
      // A native client may use any port of the loopback interface (RFC 8252 §7.3).
      application_type: 'native' as const,
      token_endpoint_auth_method: 'none' as const,
      redirect_uris: [redirect],
      id_token_signed_response_alg: 'ES256' as const,
    }

    function optionsFor(issuer: string, query = ''): SpecControllerOptions {
      const authorizationCode = {
        authorizationUrl: `${issuer}/auth${query}`,
        tokenUrl: `${issuer}/token`,
        scopes: { openid: 'Who you are', admin: 'Everything' },
      }
      return {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          oauth: { type: 'oauth2', flows: { authorizationCode } },
        },
        ui: { oauth: { clientId: 'docs', scopes: ['openid'] } },
      }
    }

    async function signIn(page: Page): Promise<void> {
      await page.locator('.scheme-container .btn.authorize').click()
      const form = page.locator('.auth-container', { hasText: 'authorizationCode' }).first()
      expect(await form.locator('input[type="text"]').first().inputValue()).toBe('docs')
      await form.locator('button.authorize').click()
    }

    it('gets a token by code and PKCE, and sends it', async () => {
      await using provider = await startOpenidProvider([client], 'ada')
      await visit(async ({ page, requests, problems }) => {
        const tokenRequest = page.waitForRequest(`${provider.issuer}/token`)
        const popup = page.waitForEvent('popup')
        await signIn(page)
        const redeemed = new URLSearchParams((await tokenRequest).postData() ?? '')
        expect(redeemed.get('code_verifier')).toMatch(/^[\w-]{43,128}$/)
        expect(redeemed.has('client_secret')).toBe(false)
        await page.locator('.auth-container button', { hasText: 'Logout' }).first().waitFor()
        expect((await popup).isClosed()).toBe(true)
        const { searchParams } = new URL(requests.find((it) => it.startsWith(`${provider.issuer}/auth?`))!)
        expect(Object.fromEntries(searchParams)).toMatchObject({
          response_type: 'code',
          code_challenge_method: 'S256',
          code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        })
        await page.locator('.btn-done').first().click()
        await tryOut(page, 'DELETE__catalog_opening___weekday__')
        await operation(page, 'DELETE__catalog_opening___weekday__').locator('input').first().fill('monday')
        const sent = page.waitForRequest('**/catalog/opening/monday')
        await execute(page, 'DELETE__catalog_opening___weekday__')
        expect(await (await sent).headerValue('authorization')).toMatch(/^Bearer \S{20,}$/)
        expect(problems).toEqual([])
      }, optionsFor(provider.issuer))
    })

    it('gets a token also where pages on the way cut the tie to the window that opened them', async () => {
      await using provider = await startOpenidProvider([client], 'ada')
      const gate = createServer((request, response) => {
        const { search } = new URL(request.url!, provider.issuer)
        response.setHeader('content-type', 'text/html').setHeader('cross-origin-opener-policy', 'same-origin')
        response.end(`<a href="${provider.issuer}/auth${search.replaceAll('&', '&amp;')}">Go on</a>`)
      })
      await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
      const { port } = gate.address() as AddressInfo
      const options = optionsFor(provider.issuer)
      const { oauth } = options.securitySchemes as { oauth: SecurityScheme & { type: 'oauth2' } }
      const authorizationCode = { ...oauth.flows.authorizationCode!, authorizationUrl: `http://127.0.0.1:${port}/` }
      const securitySchemes = { ...options.securitySchemes, oauth: { ...oauth, flows: { authorizationCode } } }
      try {
        await visit(
          async ({ page, context, url }) => {
            const bystander = await context.newPage()
            await bystander.goto(`${url}/api-docs`)
            await bystander.locator('.opblock').first().waitFor()
            const opened = context.waitForEvent('page')
            await signIn(page)
            const window = await opened
            await window.getByText('Go on').click()
            await page.locator('.auth-container button', { hasText: 'Logout' }).first().waitFor()
            await expect.poll(() => window.isClosed()).toBe(true)
            expect(await bystander.evaluate(() => sessionStorage.length)).toBe(0)

            const stray = await context.newPage()
            await stray.goto(`${url}/api-docs/assets/oauth2-redirect.html?code=stray&state=unknown`)
            await stray.getByText('No docs page started this sign-in.').waitFor()
          },
          { ...options, securitySchemes },
        )
      } finally {
        gate.closeAllConnections()
        gate.close()
      }
    })

    it('shows that the user declined', async () => {
      await using provider = await startOpenidProvider([client], 'ada')
      await visit(
        async ({ page }) => {
          await signIn(page)
          await expect
            .poll(() => page.locator('.auth-container .errors').allInnerTexts())
            .toEqual([expect.stringContaining('The sign-in failed: the person said no.')])
        },
        optionsFor(provider.issuer, '?login_hint=decline'),
      )
    })

    it('refuses an answer with another state, whatever code it brings', async () => {
      await using provider = await startOpenidProvider([client], 'ada')
      await visit(async ({ page, context, requests }) => {
        await context.route(`${provider.issuer}/auth?**`, (route) => {
          const url = new URL(route.request().url())
          url.searchParams.set('state', 'forged')
          return route.continue({ url: url.href })
        })
        await signIn(page)
        await expect
          .poll(() => page.locator('.auth-container .errors').allInnerTexts())
          .toEqual([expect.stringContaining('its state does not match')])
        expect(requests.filter((it) => it.endsWith('/token'))).toEqual([])
      }, optionsFor(provider.issuer))
    })
  })

  it('is readable in light, in dark and on a phone', async () => {
    await visit(async ({ page }) => {
      await tryOut(page, 'GET__books_query')
      for (const width of [1280, 360]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme })
          const theme = colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)'
          await page.locator(theme).waitFor({ state: 'attached' })
          // Colours of buttons fade over.
          const pale = async () => (await look(page)).contrasts.filter((it) => it.contrast < 4.5)
          await expect.poll(pale, { message: `${colorScheme} ${width}` }).toEqual([])
          const seen = await look(page)
          expect(seen.dark).toBe(colorScheme === 'dark')
          expect(seen.overflow).toBeLessThanOrEqual(0)
          expect(seen.narrowest).toBeGreaterThan(200)
        }
      }
    })
  })
})

/** Measures readability: contrasts, dark mode, horizontal overflow and the width of inputs. */
function look(page: Page) {
  return page.evaluate(() => {
    const luminance = (color: string) => {
      const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
      const [r = 0, g = 0, b = 0] = channels.map((c) =>
        c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const backgroundOf = (element: Element | null): string => {
      for (let it = element; it; it = it.parentElement) {
        const { backgroundColor } = getComputedStyle(it)
        if (!/^rgba\(.*, 0(\.\d+)?\)$|transparent/.test(backgroundColor)) return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    const contrast = (selector: string) => {
      const element = document.querySelector(selector)
      if (!element) throw new Error(selector)
      const pair = [getComputedStyle(element).color, backgroundOf(element)].map(luminance)
      const [low = 0, high = 0] = pair.sort((a, b) => a - b)
      return { selector, contrast: (high + 0.05) / (low + 0.05) }
    }
    const texts = ['.info .title', '.info p', '.opblock-tag', '.opblock-tag small p', '.opblock-summary-method']
    const more = ['.opblock-summary-path', '.parameter__name', '.btn.authorize', '.version']
    const inputs = [...document.querySelectorAll<HTMLInputElement>('.parameters input[type="text"]')]
    return {
      contrasts: [...texts, ...more].map(contrast),
      dark: luminance(backgroundOf(document.body)) < 0.2,
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      narrowest: Math.min(...inputs.map((it) => it.getBoundingClientRect().width)),
    }
  })
}
