import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { looks, openPages, pages, visitPage } from '../../packages/auth-server/test/support/pages.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { root } from '../run.mjs'

/** Takes the pictures of the authorization server's pages: each in light, dark and at phone width. */
export async function run(): Promise<string[]> {
  const images = join(root, 'docs', 'images')
  await mkdir(images, { recursive: true })
  const written: string[] = []
  const browser = await launchChromium()
  await using scene = await openPages()
  try {
    for (const name of Object.keys(pages)) {
      for (const [look, context] of Object.entries(looks)) {
        const path = join(images, `auth-${name}-${look}.png`)
        await visitPage(browser, scene, name, context, async (page) => void (await page.screenshot({ path })))
        written.push(relative(root, path))
      }
    }
  } finally {
    await browser.close()
  }
  return written
}
