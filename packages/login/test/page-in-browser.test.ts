import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Overrides, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { startLogin } from './support/login.ts'
import { endings, looks, visitEnding } from './support/pages.ts'

describe.skipIf(!chromium)('in a real browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  const views = Object.entries(endings).flatMap(([ending, server]) =>
    Object.entries(looks).map(([look, context]): [string, string, Overrides, BrowserContextOptions] => [
      ending,
      look,
      server,
      context,
    ]),
  )

  it.each(views)('the page for %s is readable: %s', async (_, look, server, context) => {
    await visitEnding(browser, server, context, async (page) => {
      const seen = await page.evaluate(() => {
        const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
        const luminance = (color: string) => {
          const [r = 0, g = 0, b = 0] = channels(color).map((c) =>
            c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
          )
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const card = getComputedStyle(document.querySelector('main') as Element).backgroundColor
        const contrast = (selector: string) => {
          const ink = getComputedStyle(document.querySelector(selector) as Element).color
          const [low = 0, high = 0] = [luminance(ink), luminance(card)].sort((a, b) => a - b)
          return (high + 0.05) / (low + 0.05)
        }
        return {
          contrasts: [contrast('h1'), contrast('p')],
          dark: luminance(card) < 0.2,
          overflow: document.documentElement.scrollWidth - window.innerWidth,
          fontSize: Number.parseFloat(getComputedStyle(document.querySelector('p') as Element).fontSize),
          headings: document.querySelectorAll('h1').length,
          language: document.documentElement.lang,
        }
      })
      expect(Math.min(...seen.contrasts)).toBeGreaterThanOrEqual(4.5)
      expect(seen.dark).toBe(look === 'dark')
      expect(seen.overflow).toBeLessThanOrEqual(0)
      expect(seen.fontSize).toBeGreaterThanOrEqual(16)
      expect(seen).toMatchObject({ headings: 1, language: 'en' })
    })
  })

  it('loads nothing else', async () => {
    await using server = await startAuthorizationServer()
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    const login = await startLogin(server.options)
    await page.goto(login.url.href)
    await login.result
    expect(await page.title()).toBe('You are signed in')
    expect(problems).toEqual([])
    await page.close()
  })

  it('an image, a script, a frame, a fetch and a WebSocket of another page cannot end a login', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const target = login.callback({ error: 'access_denied' })
    const hostile = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<img src="${target}"><script src="${target}"></script>
        <iframe src="${target}"></iframe><link rel="stylesheet" href="${target}"><script>fetch('${target}',{mode:'no-cors'});
        new WebSocket('${target.replace('http:', 'ws:')}').onclose=()=>{document.title='closed'}</script>`),
    )
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    const page = await browser.newPage()
    const asked: string[] = []
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end as 'requestfinished', (request) => {
        if (request.url() === target) asked.push(request.resourceType())
      })
    }
    await page.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`)
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(4)
    await expect.poll(() => page.title()).toBe('closed')
    await page.goto(login.url.href)
    expect((await login.result).userId).toBe('user-1')
    await page.close()
    hostile.closeAllConnections()
    await new Promise((resolve) => hostile.close(resolve))
  })
})
