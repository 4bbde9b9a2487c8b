import type { BrandOptions } from '@portico/auth-server'
import { FakeIdentityProvider } from '@portico/identity'
import { describe, expect, it } from 'vitest'
import { ask, reachConsent, signIn, startServer } from './support/server.ts'

const png = `data:image/png;base64,${Buffer.from('not really a picture').toString('base64')}`
const evil = `"'&><script>alert(1)</script>`
const escaped = '&quot;&#39;&amp;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'

async function get(url: string, options: Parameters<typeof startServer>[0]) {
  await using it = await startServer(options)
  return it.app.inject(url)
}

function sourcesOf({ headers }: { headers: Record<string, unknown> }): string | undefined {
  return /img-src [^;]*/.exec(String(headers['content-security-policy']))?.[0]
}

describe('the brand', () => {
  it('is on the sign-in, consent, account and error pages', async () => {
    const brand = { name: 'Tracker', logo: '/logo.svg', links: [{ label: 'Help', url: 'https://help.example/start' }] }
    await using it = await startServer({ brand })
    const browser = it.browser()
    const pages = [
      await browser.get('/auth/sign-in'),
      (await reachConsent(browser, ask())).page!,
      await browser.get('/auth/account'),
      await browser.get('/auth/authorize?client_id=unknown'),
    ]
    for (const page of pages) {
      expect(page.body).toContain('<header class="brand"><img src="/logo.svg" alt=""><span>Tracker</span></header>')
      expect(page.body).toContain('<footer><a href="https://help.example/start">Help</a></footer>')
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src 'self'; (?:form-action 'self'; )?frame-ancestors 'none'; base-uri 'none'$/,
      )
    }
  })

  it('is the host of the server by default, without images and without a source for them', async () => {
    const page = await get('/auth/sign-in', { brand: undefined })
    expect(page.body).toContain('<header class="brand"><span>app.example</span></header>')
    expect(page.body).not.toContain('<footer>')
    expect(sourcesOf(page)).toBeUndefined()
  })

  it.each<[string, BrandOptions, Record<string, string>, string | undefined]>([
    ['nothing', {}, {}, undefined],
    ['a path', { logo: '/logo.svg' }, {}, "img-src 'self'"],
    ['a data: URI', { logo: png }, {}, 'img-src data:'],
    ['an icon by path', { logo: png }, { work: '/work.svg' }, "img-src 'self' data:"],
    ['an icon by data: URI', {}, { work: png }, 'img-src data:'],
  ])('lets in no more images than it has: %s', async (_, brand, providerIcons, sources) => {
    expect(sourcesOf(await get('/auth/sign-in', { brand, providerIcons }))).toBe(sources)
  })

  it('escapes markup in names and links', async () => {
    const page = await get('/auth/sign-in', {
      brand: { name: evil, logo: '/logo.svg?a=1&b=2', links: [{ label: evil, url: '/help?a=1&b=2' }] },
    })
    expect(page.body).not.toContain('<script')
    expect(page.body).toContain(`<span>${escaped}</span>`)
    expect(page.body).toContain(`<a href="/help?a=1&amp;b=2">${escaped}</a>`)
    expect(page.body).toContain('<img src="/logo.svg?a=1&amp;b=2" alt="">')
  })

  it('colors buttons and links, readable in light and dark', async () => {
    const page = await get('/auth/sign-in', { brand: { color: '#FFCC00' } })
    const [light = '', dark = ''] = [...page.body.matchAll(/--strong: (#[\da-f]{6})/g)].map(([, color]) => color)
    expect(contrast(light, '#ffffff')).toBeGreaterThan(4.5)
    expect([dark, contrast(dark, '#181e28') > 4.5]).toEqual(['#ffcc00', true])
    const texts = [...page.body.matchAll(/--on-strong: (#[\da-f]{6})/g)].map(([, color]) => color!)
    expect(contrast(light, texts[0]!)).toBeGreaterThan(4.5)
    expect(contrast(dark, texts[1]!)).toBeGreaterThan(4.5)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a logo of another origin', { brand: { logo: 'https://evil.example/logo.svg' } }],
    ['a logo without a scheme', { brand: { logo: '//evil.example/logo.svg' } }],
    ['a logo behind a backslash', { brand: { logo: '/\\evil.example/logo.svg' } }],
    ['a logo behind a tab', { brand: { logo: '/\t/evil.example/logo.svg' } }],
    ['a logo with a script', { brand: { logo: 'javascript:alert(1)' } }],
    ['a document in place of a logo', { brand: { logo: 'data:text/html,hello' } }],
    ['a logo with a quote', { brand: { logo: 'data:image/svg+xml,<svg onload="x"/>' } }],
    ['a logo that is too large', { brand: { logo: `data:image/png;base64,${'A'.repeat(65_536)}` } }],
    ['an icon of another origin', { providerIcons: { work: 'https://evil.example/icon.svg' } }],
    ['a color with more in it', { brand: { color: '#fff;background:url(//evil.example)' } }],
    ['a color by name', { brand: { color: 'red' } }],
    ['a link with a script', { brand: { links: [{ label: 'Help', url: 'javascript:alert(1)' }] } }],
    ['a link without a label', { brand: { links: [{ label: ' ', url: '/help' }] } }],
    ['nine links', { brand: { links: Array(9).fill({ label: 'Help', url: '/help' }) } }],
    ['a name that is too long', { brand: { name: 'x'.repeat(101) } }],
    ['an empty name', { brand: { name: ' ' } }],
    ['an unknown member', { brand: { theme: 'dark' } }],
    ['text in place of a brand', { brand: 'Tracker' }],
  ])('is refused: %s', async (_, options) => {
    await expect(startServer(options)).rejects.toMatchObject({
      name: 'AuthServerError',
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(/`(?:brand|providerIcons)/),
    })
  })
})

describe('the icon of a provider', () => {
  const providers = ['github', 'other', 'constructor'].map((id) => new FakeIdentityProvider({ id }))

  it('is the mark of a well-known provider, a key for any other, or the given image', async () => {
    const { body } = await get('/auth/sign-in', { providers, providerIcons: { other: '/other.svg' } })
    const [github, other, unknown] = [...body.matchAll(/<a class="button"[^>]*>(.*?)<span>Continue/g)].map(
      ([, it]) => it,
    )
    expect(github).toMatch(/^<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path/)
    expect(other).toBe('<img class="icon" src="/other.svg" alt="">')
    expect(unknown).toMatch(/^<span class="icon"><svg class="outline" viewBox="0 0 24 24" aria-hidden="true">/)
  })

  it('is beside the provider that the person signed in with, on the consent page', async () => {
    await using it = await startServer({ providerIcons: { work: '/work.svg' } })
    const { page } = await reachConsent(it.browser(), ask())
    expect(page!.body).toContain('with <span class="by"><img class="icon" src="/work.svg" alt="">Work</span>')
  })
})

it('dates on the account page are written in one way', async () => {
  await using it = await startServer()
  const browser = it.browser()
  await signIn(browser)
  it.clock.time = Date.UTC(2030, 4, 1, 23, 59)
  const again = it.browser()
  await signIn(again)
  const { body } = await again.get('/auth/account')
  expect(body).toContain('<p>Connected <time datetime="2026-01-01">1 January 2026</time></p>')
  expect(body).toContain('<p>Last used <time datetime="2030-05-01">1 May 2030</time></p>')
})

/** WCAG 2.2, in a form of its own. */
function contrast(a: string, b: string): number {
  const luminance = (hex: string): number =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, it) => {
      const part = Number.parseInt(hex.slice(1 + 2 * it, 3 + 2 * it), 16) / 255
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    }, 0)
  const [x, y] = [luminance(a) + 0.05, luminance(b) + 0.05]
  return Math.max(x, y) / Math.min(x, y)
}
