import { type Browser, chromium as playwright } from 'playwright-core'
import { findChromium } from '../../scripts/environment.mjs'

/** The Chromium of this machine, or `undefined`: tests that need it are left out with `describe.skipIf(!chromium)`. */
export const chromium: { path: string } | undefined = findChromium()

/** Starts a headless Chromium that asks nothing of the network but what the test's pages do. */
export function launchChromium(): Promise<Browser> {
  if (!chromium) throw new Error('no Chromium was found on this machine')
  return playwright.launch({
    executablePath: chromium.path,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}
