import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chooseWay } from './scene.ts'

export const looks: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 960, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 960, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true },
}

/** Visits every page of the app in turn, in a separate browser context. */
export async function visitPages(
  browser: Browser,
  address: string,
  look: BrowserContextOptions,
  visit: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(look)
  try {
    const page = await context.newPage()
    await page.goto(address)
    await visit('welcome', page)
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    await page.getByRole('link', { name: 'Continue with a home account' }).click()
    await visit('provider', page)
    await page.goto(`${address}/auth/sign-in?return_to=/`)
    await chooseWay(page, 'Ada')
    const star = page.getByRole('button', { name: 'Star Find a singer' })
    if ((await star.getAttribute('aria-pressed')) === 'false') await star.click()
    // Scroll to the top: the star button leads back to its task.
    await page.goto(address)
    await visit('tasks', page)
    await page.getByRole('button', { name: 'Add a task' }).click()
    await visit('add', page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Book the train' }).click()
    await visit('task', page)
    await page.goto(`${address}/account`)
    await visit('account', page)
    await page.goto(`${address}/task/999999`)
    await visit('not-found', page)
    // So that the next visit lists only its own session.
    await page.getByRole('button', { name: 'Sign out' }).click()
  } finally {
    await context.close()
  }
}
