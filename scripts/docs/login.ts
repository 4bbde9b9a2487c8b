import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { endings, looks, visitEnding } from '../../packages/login/test/support/pages.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { root } from '../run.mjs'

/** Takes the pictures of the page at the end of a login: each ending in light, dark and at phone width. */
export async function run(): Promise<string[]> {
  const images = join(root, 'docs', 'images')
  await mkdir(images, { recursive: true })
  const written: string[] = []
  const browser = await launchChromium()
  try {
    for (const [ending, server] of Object.entries(endings)) {
      for (const [look, context] of Object.entries(looks)) {
        const path = join(images, `login-${ending}-${look}.png`)
        await visitEnding(browser, server, context, async (page) => void (await page.screenshot({ path })))
        written.push(relative(root, path))
      }
    }
  } finally {
    await browser.close()
  }
  return written
}
