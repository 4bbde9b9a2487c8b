import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { signIn } from './scene.ts'

export const looks: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 960, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 960, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true },
}

type Way = (page: Page, address: string) => Promise<unknown>

/** Every page of the app's own, and how people get there. */
export const pages: Record<string, Way> = {
  welcome: (page, address) => page.goto(address),
  provider: async (page, address) => {
    await page.goto(`${address}/auth/sign-in?return_to=/`)
    await page.getByRole('link', { name: 'Continue with a home account' }).click()
  },
  tasks: async (page, address) => {
    await signIn(page, address, 'Ada')
    const star = page.getByRole('button', { name: 'Star Find a singer' })
    if ((await star.getAttribute('aria-pressed')) === 'false') await star.click()
  },
  task: async (page, address) => {
    await signIn(page, address, 'Ada')
    await page.getByRole('link', { name: 'Book the train' }).click()
  },
  account: async (page, address) => {
    await signIn(page, address, 'Grace')
    await page.goto(`${address}/account`)
  },
  'not-found': async (page, address) => {
    await signIn(page, address, 'Ada')
    await page.goto(`${address}/task/999999`)
  },
}

/** Opens one of the pages in a browser context of its own. */
export async function visitPage(
  browser: Browser,
  address: string,
  { name, look }: { name: string; look: BrowserContextOptions },
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(look)
  try {
    const page = await context.newPage()
    await pages[name]!(page, address)
    await visit(page)
  } finally {
    await context.close()
  }
}
