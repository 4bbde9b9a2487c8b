import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { answerJson, type Overrides, startAuthorizationServer } from '../../../../test/support/authorization-server.ts'
import { startLogin } from './login.ts'

/** Every page that a person can see, and a server that leads to it. */
export const endings: Record<string, Overrides> = {
  'signed-in': {},
  declined: { callback: { code: undefined, error: 'access_denied' } },
  refused: { callback: { code: undefined, error: 'invalid_scope' } },
  unavailable: { callback: { code: undefined, error: 'temporarily_unavailable' } },
  failed: { token: answerJson({ error: 'invalid_grant' }, 400) },
}

/** Screens and colour schemes. */
export const looks: Record<'light' | 'dark' | 'phone', BrowserContextOptions> = {
  light: { colorScheme: 'light', viewport: { width: 1024, height: 640 } },
  dark: { colorScheme: 'dark', viewport: { width: 1024, height: 640 } },
  phone: { colorScheme: 'light', viewport: { width: 320, height: 568 }, deviceScaleFactor: 2, isMobile: true },
}

/** Logs in with a real browser, and passes the last page on. */
export async function visitEnding(
  browser: Browser,
  ending: Overrides,
  look: BrowserContextOptions,
  inspect: (page: Page) => Promise<void>,
): Promise<void> {
  await using server = await startAuthorizationServer(ending)
  const context = await browser.newContext(look)
  try {
    const page = await context.newPage()
    const login = await startLogin(server.options)
    const settled = login.result.catch(() => {})
    await page.goto(login.url.href)
    await settled
    await inspect(page)
  } finally {
    await context.close()
  }
}
