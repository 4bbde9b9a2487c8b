import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { sqlite } from '@portico/db/sqlite'
import type { Page } from 'playwright-core'
import { type Platform, startPlatform } from '../../dist/start.js'

/** The whole platform in this process, with its own data folder, until it is disposed of. */
export async function openScene(
  adapter: Adapter = sqlite({ file: ':memory:' }),
  port?: number,
): Promise<Platform & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-demo-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const platform = await startPlatform({ folder, adapter, port: port ?? (await findPort()) })
    return {
      ...platform,
      async [Symbol.asyncDispose]() {
        await platform.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** A port that is free now. If another process takes it first, the platform tries the next one. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(Math.min(port, 65_000)))
    })
  })
}

/** Signs in from the first page, as a person would. */
export async function signIn(page: Page, address: string, person: string, way = 'a home account'): Promise<void> {
  await page.goto(address)
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await chooseWay(page, person, way)
}

/** Signs in from the sign-in page. */
export async function chooseWay(page: Page, person: string, way = 'a home account'): Promise<void> {
  await page.getByRole('link', { name: `Continue with ${way}` }).click()
  await page.getByRole('button', { name: person }).click()
}
