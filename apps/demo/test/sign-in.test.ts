import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchChromium } from '../../../test/support/chromium.ts'
import { visit } from '../../../test/support/openid-provider.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Runs the program without a display; `address` resolves once it has printed where to sign in. */
function startDemo(...args: string[]) {
  const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' }
  const child = spawn(process.execPath, [main, ...args], { env })
  let output = ''
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const [, found] = output.match(/^ {2}(http\S+)$/m) ?? []
        if (found) resolve(found)
      })
    }
    void ended.then(() => reject(new Error(`ended without an address:\n${output}`)))
  })
  address.catch(() => {})
  return {
    child,
    ended,
    address,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

describe('npm start', () => {
  it('prints where the provider runs and the address to sign in at', async () => {
    await using demo = startDemo('--no-browser')
    expect(await demo.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\/authorize\?response_type=code&/)
    const page = await visit(await demo.address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Pick somebody to be')
  })

  it('ends cleanly on Ctrl-C', async () => {
    await using demo = startDemo('--no-browser')
    await demo.address
    demo.child.kill('SIGINT')
    const { code, output } = await demo.ended
    expect(code).toBe(130)
    expect(output).toMatch(/Sign-in cancelled\.\n$/)
  })

  it('passes its flags through npm start', async () => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const options = { cwd: root, shell: process.platform === 'win32' }
    const { stdout } = await promisify(execFile)(npm, ['start', '--', '--help'], options)
    expect(stdout).toContain('npm start -- --no-browser')
  })

  it('explains itself, and refuses options that it does not know', async () => {
    await using help = startDemo('--help')
    expect(await help.ended).toMatchObject({ code: 0, output: expect.stringContaining('--no-browser') })
    await using wrong = startDemo('--no-brwser')
    expect(await wrong.ended).toMatchObject({ code: 2, output: expect.stringContaining('Unknown option --no-brwser') })
  })

  describe.skipIf(!chromium)('in a real browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterAll(() => browser.close())

    it('signs in with one click and says who you are', async () => {
      await using demo = startDemo('--no-browser')
      const page = await browser.newPage()
      await page.goto(await demo.address)
      await page.getByRole('button', { name: 'Grace Hopper' }).click()
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
      const { code, output } = await demo.ended
      expect(code).toBe(0)
      expect(output).toContain('Signed in as Grace Hopper <grace@example.com>')
      expect(output).not.toContain('WARNING')
      await page.close()
    })

    it('says so when you decline', async () => {
      await using demo = startDemo('--no-browser')
      const page = await browser.newPage()
      await page.goto(await demo.address)
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.getByRole('heading', { name: 'The sign-in was declined' }).waitFor()
      const { code, output } = await demo.ended
      expect(code).toBe(1)
      expect(output).toContain(
        'The sign-in was declined: access_denied: nobody was picked. Run npm start again to sign in after all.',
      )
      await page.close()
    })
  })
})
