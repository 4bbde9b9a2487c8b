import { readFile } from 'node:fs/promises'
import type { AuthorizeErrorCode, AuthorizeOptions } from '@portico/login'
import { describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { runProgram } from './support/programs.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')

/** The first column of the table below a heading. */
function rows(heading: string): string[] {
  const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

describe('the README', () => {
  it('has a login in ten lines that runs unchanged', async () => {
    const source = readme.match(/```js\n([\s\S]*?)```/)?.[1] ?? ''
    expect(source.trim().split('\n')).toHaveLength(10)
    await using server = await startAuthorizationServer()
    // With an empty PATH no browser is found.
    await using program = await runProgram(source, { args: [server.url], env: { PATH: '' } })
    await program.line(/^Open this address to sign in:$/)
    await (await fetch(await program.line(/^http/))).text()
    expect(await program.line(/^Signed in/)).toBe('Signed in as user-1 with a token of 38 characters.')
    expect((await program.ended).code).toBe(0)
  })

  it('lists every option', () => {
    const options: Record<keyof AuthorizeOptions, true> = {
      authorizeUrl: true,
      tokenUrl: true,
      clientId: true,
      scope: true,
      openBrowser: true,
      onUrl: true,
      statusUrl: true,
      timeoutMs: true,
      signal: true,
      expectedIssuer: true,
    }
    expect(rows('Options')).toEqual(Object.keys(options))
  })

  it('lists every error code', () => {
    const codes: Record<AuthorizeErrorCode, true> = {
      provider_denied: true,
      state_mismatch: true,
      exchange_failed: true,
      timeout: true,
      status_check_failed: true,
    }
    expect(rows('When it fails')).toEqual(Object.keys(codes))
  })
})
