import { readdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { type RunningPortico, User } from './support/cli.ts'
import { CTRL_C, hasTerminals, startInTerminal } from './support/pseudo-terminal.ts'
import { startSignInServer } from './support/sign-in-server.ts'

/** Goes to the start of the line and empties it. */
const cleared = '\r\u001b[K'

/** Opens the address that the terminal shows, once it is there. */
async function openShownAddress(browser: Browser, terminal: RunningPortico): Promise<Page> {
  await terminal.until('open this URL')
  await terminal.until('  http')
  const page = await (await browser.newContext()).newPage()
  await page.goto(`http${(await terminal.until('\r')).trim()}`)
  return page
}

describe.skipIf(!hasTerminals || !chromium)('portico login in a terminal, with a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  it('counts down while it waits, and signs in', async () => {
    const [user, server] = [new User(), await startSignInServer()]
    const terminal = startInTerminal(user, 'login', server, '--no-browser')
    const page = await openShownAddress(browser, terminal)
    await terminal.until('5:00 left to sign in; press Ctrl-C to cancel.')
    await terminal.until(`${cleared}4:59 left to sign in; press Ctrl-C to cancel.`)
    await page.getByRole('link', { name: 'Work' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const { code, text } = await terminal.ended()
    expect(code).toBe(0)
    // The progress line is cleared before the result is printed.
    expect(text.slice(text.lastIndexOf(cleared))).toMatch(
      /KSigned in to \S+ as \S+, until [\d :-]+\.\r\nThe token has no scopes and only identifies you[^\r]*\r\n$/,
    )
    const { out, err } = await user.run('whoami')
    expect(out + err).toBe(text.slice(text.lastIndexOf('Signed in')).replaceAll('\r', ''))
    const token = (await user.run('whoami', '--token')).out.trim()
    expect((await user.run('logout')).out).toBe(`Signed out of ${server}.\n`)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${server}/auth/status`, { headers })).status).toBe(401)
    await page.close()
  }, 60_000)

  it('shows in browser and terminal that it was declined', async () => {
    const [user, server] = [new User(), await startSignInServer()]
    const terminal = startInTerminal(user, 'login', server, '--no-browser')
    const page = await openShownAddress(browser, terminal)
    await page.getByRole('link', { name: 'Work' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'The sign-in was declined' }).waitFor()
    const { code, text } = await terminal.ended()
    expect(code).toBe(1)
    expect(text).toContain('declined: access_denied, in the server’s words “the person said no”. Run the command again')
    await page.close()
  }, 60_000)

  it('ends with 130 on Ctrl-C, on its own line', async () => {
    const [user, server] = [new User(), await startSignInServer()]
    const terminal = startInTerminal(user, 'login', server, '--no-browser')
    await terminal.until('press Ctrl-C to cancel.')
    terminal.type(CTRL_C)
    const { code, text } = await terminal.ended()
    expect(code).toBe(130)
    expect(text.slice(text.lastIndexOf(cleared))).toBe(`${cleared}Canceled; you are not signed in.\r\n`)
    expect(readdirSync(user.home)).toEqual([])
  }, 60_000)
})
