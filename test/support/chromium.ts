import { type Browser, chromium as playwright } from 'playwright-core'
import { findChromium } from '../../scripts/environment.mjs'

/** The Chromium of this machine, or `undefined`: tests that need it are skipped with `describe.skipIf(!chromium)`. */
export const chromium: { path: string } | undefined = findChromium()

/** Starts a headless Chromium without background requests of its own. */
export function launchChromium(): Promise<Browser> {
  if (!chromium) throw new Error('no Chromium was found on this machine')
  return playwright.launch({
    executablePath: chromium.path,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}
