import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { looks, visitPages } from './support/pages.ts'
import { chooseWay, openScene, signIn } from './support/scene.ts'
import { tokenOf, Visitor } from './support/visitor.ts'

describe.skipIf(!chromium)('in a real browser', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  let browser: Browser
  const contexts: BrowserContext[] = []
  /** Errors in the browser console, such as a violation of the content security policy. */
  const complaints: string[] = []

  beforeAll(async () => {
    ;[scene, browser] = await Promise.all([openScene(), launchChromium()])
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((it) => it.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser.close()
    await scene[Symbol.asyncDispose]()
  })

  async function openPage(): Promise<Page> {
    const context = await browser.newContext()
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('console', (it) => it.type() === 'error' && complaints.push(it.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    return page
  }

  /** Picks another state in the menu of the only task in the list. */
  async function changeState(page: Page, from: string, to: string): Promise<void> {
    await page.getByLabel(new RegExp(`: ${from}. Change it`)).click()
    await page.getByRole('button', { name: `Change to ${to}` }).click()
  }

  it('signs in, shows the tasks and signs out', async () => {
    const page = await openPage()
    await page.goto(scene.address)
    await page.getByRole('heading', { name: 'One set of tasks' }).waitFor()
    await page.goto(`${scene.address}/account`)
    expect(new URL(page.url()).pathname).toBe('/auth/sign-in')
    await chooseWay(page, 'Grace Hopper')
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await page.goto(`${scene.address}/task/1`)
    expect(new URL(page.url()).pathname).toBe('/auth/sign-in')
  })

  it('does not sign in after a person declined at the provider', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Decline')
    await page.getByRole('link', { name: 'Try again' }).waitFor()
    complaints.splice(0) // the page has the status of a refusal, which the console notes
    await page.goto(scene.address)
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  })

  it('adds, changes, stars, finds and deletes a task', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Ada')
    await page.getByRole('button', { name: 'Add a task' }).click()
    await page.getByLabel('Title').fill('Repot <the> 100% fern_')
    await page.getByRole('form', { name: 'Add a task' }).getByLabel('Project').fill('Garden')
    await page.getByLabel('Priority').selectOption('2')
    await page.getByLabel('Due').fill('2031-02-03')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    expect(await page.getByRole('status').textContent()).toBe('Added Repot <the> 100% fern_.')
    await page.getByLabel('Search').fill('100% fern_')
    await page.getByLabel('Search').press('Enter')
    await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
    await page.getByText('Garden · due 3 February 2031').waitFor()
    await page.getByRole('button', { name: 'Star Repot' }).click()
    await page.getByRole('button', { name: 'Star Repot', pressed: true }).waitFor()
    await changeState(page, 'Open', 'doing')
    await changeState(page, 'Doing', 'done')
    await page.getByText('No tasks match.').waitFor()
    // Filters apply at once.
    await page.getByLabel('State').selectOption('Done')
    await page.waitForURL(/state=done/)
    await page.getByLabel('Starred').check()
    await page.waitForURL(/starred=on/)
    await page.getByRole('link', { name: 'Repot <the> 100% fern_' }).click()
    await page.getByLabel('Title').fill('Water the fern')
    await page.getByLabel('State').selectOption('Open')
    await page.getByLabel('Tags').fill('green, outside, green')
    await page.getByRole('button', { name: 'Save' }).click()
    // Back where it was found, among what is done, where it no longer is.
    await page.getByText('None of your starred tasks match.').waitFor()
    expect(await page.getByLabel('State').inputValue()).toBe('done')
    await page.getByRole('link', { name: 'Clear the filter' }).click()
    await page.getByText('Garden · due 3 February 2031 outside green').waitFor()
    await page.getByRole('link', { name: 'Water the fern' }).click()
    await page.getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    expect(await page.getByText('Water the fern').count()).toBe(0)
  }, 60_000)

  it('shows an error next to the typed values', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Ada')
    await page.getByRole('link', { name: 'Order firewood' }).click()
    await page.getByLabel('Title').fill('   ')
    await page.getByLabel('Tags').fill('warm, dry')
    const [answer] = await Promise.all([
      page.waitForResponse((it) => it.request().method() === 'POST'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(answer.status()).toBe(400)
    expect(await page.getByRole('alert').textContent()).toBe('Title must be text that is not empty.')
    expect(await page.getByLabel('Tags').inputValue()).toBe('warm, dry')
    await page.getByRole('heading', { name: 'Order firewood' }).waitFor()
    await page.getByLabel('Title').fill('Order dry firewood')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto(`${scene.address}/?text=dry+firewood`)
    await page.getByText('warm dry').waitFor()
    complaints.splice(0) // the mistake is a 400, which the console notes
  }, 60_000)

  it('shows a page for unknown addresses, with the signed-in user', async () => {
    const page = await openPage()
    await page.goto(`${scene.address}/nowhere`)
    await page.getByText('There is no page at this address.').waitFor()
    await signIn(page, scene.address, 'Ada')
    const answer = await page.goto(`${scene.address}/task/999999`)
    expect(answer?.status()).toBe(404)
    await page.getByText('Ada Lovelace').waitFor()
    await page.goto(`${scene.address}/nowhere`)
    await page.getByText('There is no page at this address.').waitFor()
    await page.getByText('Ada Lovelace').waitFor({ timeout: 5000 })
    const problem = await fetch(`${scene.address}/nowhere`)
    expect(problem.status).toBe(404)
    expect(await problem.json()).toMatchObject({ code: 'NOT_FOUND' })
    complaints.splice(0) // what is not there is a 404, which the console notes
  }, 60_000)

  it('connects another account, and disconnects it', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Alan')
    await page.goto(`${scene.address}/account`)
    await page.getByRole('link', { name: 'Connect or disconnect accounts' }).click()
    await page.getByText('This is your only way to sign in').waitFor()
    await page.getByRole('button', { name: 'Connect a work account' }).click()
    await page.getByRole('button', { name: 'Katherine' }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('A work account is connected.').waitFor()
    await page.getByRole('button', { name: /^Disconnect a work account/ }).click()
    await page.getByText('A work account is disconnected.').waitFor()
    // Nothing of it is left in the list of sign-ins.
    await page.goto(scene.address)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  }, 60_000)

  it('reports a conflicting change, and keeps the other one', async () => {
    const [page, other] = [await openPage(), await openPage()]
    for (const it of [page, other]) {
      await signIn(it, scene.address, 'Ada')
      await it.getByRole('link', { name: 'Paint the door' }).click()
    }
    await other.getByLabel('Priority').selectOption('4')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.getByLabel('Priority').selectOption('5')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('Someone else has changed this task')
    expect(await page.getByLabel('Priority').inputValue()).toBe('4')
    complaints.splice(0) // the conflict is a 409, which the console notes
  }, 60_000)

  it('leads back to the page of a form after signing in again', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Grace')
    await page.goto(`${scene.address}/task/2?back=%2F%3Fstate%3Ddone`)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await chooseWay(page, 'Grace')
    await page.getByLabel('Title').waitFor()
    expect(page.url()).toBe(`${scene.address}/task/2?back=%2F%3Fstate%3Ddone`)
  }, 60_000)

  it('works without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    contexts.push(context)
    const page = await context.newPage()
    await signIn(page, scene.address, 'Ada')
    await page.locator('select[name=state]').selectOption('Done')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/state=done/)
    await page
      .getByLabel(/: Done. Change it/)
      .first()
      .click()
    await page.getByRole('button', { name: 'Change to open' }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  }, 60_000)

  it('copies a command', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(scene.address)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `npx portico login ${scene.address} --scope tasks`,
    )
  })

  it('paginates', async () => {
    const page = await openPage()
    await signIn(page, scene.address, 'Ada')
    await page.goto(`${scene.address}/?state=all`)
    const first = await page.getByRole('listitem').allTextContents()
    expect(first).toHaveLength(10)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('page 2 of 2').waitFor()
    const second = await page.getByRole('listitem').allTextContents()
    expect(second.length).toBeGreaterThan(0)
    expect(second.filter((it) => first.includes(it))).toEqual([])
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText('page 1 of 2').waitFor()
    await page.goto(`${scene.address}/?state=all&page=99`)
    await page.getByText('page 2 of 2').waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual(second)
  })

  it('ends a session in another browser immediately', async () => {
    const [page, other] = [await openPage(), await openPage()]
    await signIn(other, scene.address, 'Alan')
    await other.getByRole('heading', { name: 'Tasks' }).waitFor()
    const token = await tokenOf(scene.address, 'alan')
    await signIn(page, scene.address, 'Alan')
    await page.getByRole('link', { name: 'Sign-ins' }).click()
    const current = page.getByRole('listitem').filter({ hasText: 'This browser' })
    await current.waitFor()
    // Signing out ends this session, so there is no second button for it.
    expect(await current.getByRole('button').count()).toBe(0)
    expect(await current.textContent()).toMatch(/Signed in \d+ \w+ \d{4} at \d\d:\d\d:\d\d with a \w+ account/)
    const status = async () =>
      (await fetch(`${scene.address}/board`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status()).toBe(200)
    await page.getByRole('button', { name: 'End A program' }).click()
    await expect.poll(status).toBe(401)
    // Newest first: this browser, the one that the token came by, and the other.
    await page.getByRole('listitem').filter({ hasText: 'Chrome' }).last().getByRole('button', { name: 'End' }).click()
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Chrome' }).count()).toBe(1)
    await other.reload()
    await other.getByRole('link', { name: 'Sign in' }).first().waitFor()
  }, 60_000)

  it('connects a second provider after a sign-in with the first one', async () => {
    const visitor = new Visitor(scene.address)
    await visitor.signIn('grace')
    const page = await openPage()
    await signIn(page, scene.address, 'Grace', 'a work account')
    await page.getByRole('heading', { name: 'Is this your account?' }).waitFor()
    await chooseWay(page, 'Grace')
    await page.goto(`${scene.address}/account`)
    for (const name of ['A home account', 'A work account']) await page.getByText(name, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, scene.address, 'Grace', 'a work account')
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  }, 60_000)

  it('sends requests from the API docs with a token', async () => {
    const page = await openPage()
    const tryOut = async (): Promise<void> => {
      await page.getByText('/board').first().click()
      await page.getByRole('button', { name: 'Try it out' }).click()
      await page.getByRole('button', { name: 'Execute' }).click()
      await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    }
    await page.goto(`${scene.address}/api-docs`)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByLabel('auth-bearer-value').fill(await tokenOf(scene.address, 'ada'))
    await page.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()
    await tryOut()
  }, 60_000)

  it('signs in from the API docs, through the provider and the consent page', async () => {
    const page = await openPage()
    await page.goto(`${scene.address}/api-docs`)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ])
    await chooseWay(popup, 'Ada')
    await popup.getByText('See and change projects, tasks and tags').waitFor()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await page.locator('.auth-container button', { hasText: 'Logout' }).waitFor()
  }, 60_000)

  it('every page fits a phone', async () => {
    const widths: Record<string, unknown> = {}
    await visitPages(browser, scene.address, looks['phone']!, async (name, page) => {
      widths[name] = await page.evaluate('document.documentElement.scrollWidth')
      expect(await page.getByRole('heading', { level: 1 }).count(), name).toBe(1)
      if (name !== 'tasks') return
      // The way to other pages of the list is a line, not two.
      const middles =
        'Array.from(document.querySelector(".pages").children, (it) => it.offsetTop + it.offsetHeight / 2)'
      const apart = await page.evaluate(`Math.max(...${middles}) - Math.min(...${middles})`)
      expect(apart).toBeLessThan(2)
    })
    expect(Object.keys(widths)).toHaveLength(7)
    expect(new Set(Object.values(widths))).toEqual(new Set([360]))
  }, 60_000)
})
