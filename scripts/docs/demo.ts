import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { looks, visitPages } from '../../apps/demo/test/support/pages.ts'
import { openScene } from '../../apps/demo/test/support/scene.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { root } from '../run.mjs'

/** Takes the pictures of the app's own pages: each in light, dark and at phone width. */
export async function run(): Promise<string[]> {
  const images = join(root, 'docs', 'images')
  await mkdir(images, { recursive: true })
  const written: string[] = []
  const browser = await launchChromium()
  await using scene = await openScene(undefined, 3000)
  try {
    for (const [lookName, look] of Object.entries(looks)) {
      await visitPages(browser, scene.address, look, async (name, page) => {
        const path = join(images, `demo-${name}-${lookName}.png`)
        await page.screenshot({ path })
        written.push(relative(root, path))
      })
    }
  } finally {
    await browser.close()
  }
  return written
}
