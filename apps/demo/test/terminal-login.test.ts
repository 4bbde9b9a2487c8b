import { readdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { makeFolder } from './support/demo.ts'
import { chooseWay, openScene } from './support/scene.ts'
import { hasTerminals, openTerminal, type Terminal } from './support/terminal.ts'

const ctrlC = '\u0003'

describe.skipIf(!chromium || !hasTerminals)('portico login in a terminal and a browser', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;[scene, browser] = await Promise.all([openScene(), launchChromium()])
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser.close()
    await scene[Symbol.asyncDispose]()
  })

  /** Opens the address that the terminal shows, as a person over SSH would. */
  async function openShown(terminal: Terminal): Promise<void> {
    const [, address = ''] = await terminal.until(/^ {2}(http\S+)\r$/m)
    await page.goto(address)
  }

  it('signs in, works with curl, and is listed and revoked on the page', async () => {
    const home = makeFolder()
    const terminal = openTerminal(home, 'login', scene.address, '--scope', 'tasks', '--no-browser')
    await openShown(terminal)
    await chooseWay(page, 'Katherine Johnson', 'a work account')
    await page.getByText('A program at 127.0.0.1').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(await terminal.ended).toBe(0)
    expect(terminal.shown()).toMatch(/Signed in to \S+ as Katherine Johnson, until/)

    const asking = openTerminal(home, 'whoami', '--token')
    expect(await asking.ended).toBe(0)
    const headers = { authorization: `Bearer ${asking.shown().trim()}` }
    const status = async () => (await fetch(`${scene.address}/tasks/query`, { headers })).status
    expect(await status()).toBe(200)

    await page.goto(`${scene.address}/account`)
    await page.getByRole('button', { name: 'End A program on a computer' }).click()
    await expect.poll(() => page.getByText('A program on a computer').count()).toBe(0)
    expect(await status()).toBe(401)
    const after = openTerminal(home, 'whoami')
    expect(await after.ended).toBe(1)
  }, 90_000)

  it('reports that the person denied it', async () => {
    const home = makeFolder()
    const terminal = openTerminal(home, 'login', scene.address, '--no-browser')
    await openShown(terminal)
    // Signed in from before, or else asked to: either way the program is asked about.
    if (page.url().includes('/auth/sign-in')) await chooseWay(page, 'Katherine Johnson', 'a work account')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'The sign-in was declined' }).waitFor()
    expect(await terminal.ended).toBe(1)
    expect(terminal.shown()).toContain('declined: access_denied')
    expect(readdirSync(home)).toEqual([])
  }, 60_000)

  it('ends after the timeout, and on Ctrl-C', async () => {
    const [late, stopped] = [makeFolder(), makeFolder()]
    const impatient = openTerminal(late, 'login', scene.address, '--no-browser', '--timeout', '1')
    const interrupted = openTerminal(stopped, 'login', scene.address, '--no-browser')
    await interrupted.until(/press Ctrl-C to cancel/)
    interrupted.type(ctrlC)
    expect(await interrupted.ended).toBe(130)
    expect(interrupted.shown()).toMatch(/Canceled; you are not signed in\.\r\n$/)
    expect(await impatient.ended).toBe(1)
    expect(impatient.shown()).toContain('with a longer --timeout if needed')
    expect([...readdirSync(late), ...readdirSync(stopped)]).toEqual([])
  }, 60_000)
})
