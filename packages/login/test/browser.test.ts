import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { browserProgram, expectPromptEnd, runProgram } from './support/programs.ts'

/** A folder for PATH with openers that record their calls. */
async function openers(scripts: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'portico-openers-'))
  for (const [name, script] of Object.entries(scripts)) {
    const note = `echo ${name} $# >> '${folder}/calls'; for a in "$@"; do printf '%s\\n' "$a" >> '${folder}/calls'; done`
    await writeFile(join(folder, name), `#!/bin/sh\n${note}\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return {
    // Only this folder: no real opener of this machine must be found.
    env: {
      PORTICO_HANGING: join(folder, 'hanging'),
      PATH: folder,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      WSL_DISTRO_NAME: '',
    },
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').slice(0, -1),
    async [Symbol.asyncDispose]() {
      const hanging = Number(await readFile(join(folder, 'hanging'), 'utf8').catch(() => 0))
      if (hanging > 0) process.kill(hanging)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a login with these openers, signs in without a browser, and returns the recorded calls. */
async function login(scripts: Record<string, string>, env: NodeJS.ProcessEnv, authorizeSuffix = '') {
  await using server = await startAuthorizationServer()
  await using path = await openers(scripts)
  const options = { ...server.options, authorizeUrl: server.options.authorizeUrl + authorizeSuffix }
  await using program = await runProgram(browserProgram(options), { env: { ...path.env, ...env } })
  const url = (await program.line(/^url /)).slice(4)
  const expected = Object.keys(scripts).length
  if (expected > 0 && Object.keys(env).length > 0) await expect.poll(path.calls).not.toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 150))
  const calls = await path.calls()
  await (await fetch(url)).text()
  await program.line(/^settled user-1$/)
  await expectPromptEnd(program)
  return { url, calls }
}

const hang = 'echo $$ > "$PORTICO_HANGING"; exec /bin/sleep 60'
const display = { DISPLAY: ':0' }
const wsl = { WSL_DISTRO_NAME: 'Debian' }

// WSL opens browsers differently, whatever the environment.
describe.skipIf(process.platform !== 'linux' || /microsoft/i.test(release()))(
  'opening the browser for real, on Linux',
  () => {
    it('passes the URL to xdg-open as one argument, whatever it contains', async () => {
      const { url, calls } = await login({ 'xdg-open': 'exit 0' }, display, '?a=1&b="q" `id` $(id) \'s\' 100%&c=%26;|')
      expect(calls).toEqual(['xdg-open 1', url])
      expect(url).toContain('&b=')
    })

    it('tries nothing without a display', async () => {
      expect((await login({ 'xdg-open': 'exit 0' }, {})).calls).toEqual([])
    })

    it('continues if the opener is missing', async () => {
      expect((await login({}, display)).calls).toEqual([])
    })

    it('continues if the opener fails, and does not call it again', async () => {
      expect((await login({ 'xdg-open': 'exit 3' }, display)).calls).toHaveLength(2)
    })

    it('continues if the opener hangs, and does not wait for it', async () => {
      expect((await login({ 'xdg-open': hang }, display)).calls).toHaveLength(2)
    })

    it('continues if the opener is killed', async () => {
      expect((await login({ 'xdg-open': 'kill -9 $$' }, display)).calls).toHaveLength(2)
    })

    it('continues if the opener is not a program', async () => {
      await using server = await startAuthorizationServer()
      await using path = await openers({ 'xdg-open': '' })
      await chmod(join(path.env.PATH, 'xdg-open'), 0o644)
      await using program = await runProgram(browserProgram(server.options), { env: { ...path.env, ...display } })
      await (await fetch((await program.line(/^url /)).slice(4))).text()
      await program.line(/^settled user-1$/)
    })

    it('starts the opener in its own session, so that Ctrl-C does not reach the browser', async () => {
      await using server = await startAuthorizationServer()
      await using path = await openers({ 'xdg-open': hang })
      await using program = await runProgram(browserProgram(server.options), { env: { ...path.env, ...display } })
      await expect.poll(() => readFile(path.env.PORTICO_HANGING, 'utf8').catch(() => '')).not.toBe('')
      const pid = (await readFile(path.env.PORTICO_HANGING, 'utf8')).trim()
      const [, , group] = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
      expect(group).toBe(pid)
      await program.line(/^url /)
    })

    it('opens nothing if onUrl aborts', async () => {
      await using path = await openers({ 'xdg-open': 'exit 0' })
      await using program = await runProgram(
        `
import { authorize } from '@portico/login'
const abort = new AbortController()
const options = { authorizeUrl: 'https://app.example/a', tokenUrl: 'https://app.example/t', signal: abort.signal }
await authorize({ ...options, onUrl: () => abort.abort() }).catch((error) => console.log('settled ' + error.code))
await new Promise((resolve) => setTimeout(resolve, 300))
`,
        { env: { ...path.env, ...display } },
      )
      await program.line(/^settled timeout$/)
      await program.ended
      expect(await path.calls()).toEqual([])
    })

    it('in WSL does not try the next command after the login has ended', async () => {
      await using server = await startAuthorizationServer()
      await using path = await openers({ wslview: '/bin/sleep 0.5; exit 1', 'rundll32.exe': 'exit 0' })
      const source = `${browserProgram(server.options)}\nawait new Promise((resolve) => setTimeout(resolve, 1_500))`
      await using program = await runProgram(source, { env: { ...path.env, ...wsl } })
      const url = (await program.line(/^url /)).slice(4)
      await expect.poll(path.calls).not.toEqual([])
      await (await fetch(url)).text()
      await program.ended
      expect((await path.calls()).filter((line) => / \d$/.test(line))).toEqual(['wslview 1'])
    })

    it('in WSL uses only wslview if that works', async () => {
      const { calls } = await login({ wslview: 'exit 0', 'rundll32.exe': 'exit 0' }, wsl)
      expect(calls.filter((line) => / \d$/.test(line))).toEqual(['wslview 1'])
    })

    it('in WSL uses the Windows command if wslview is missing', async () => {
      const { url, calls } = await login({ 'rundll32.exe': 'exit 0' }, wsl)
      expect(calls).toEqual(['rundll32.exe 2', 'url.dll,FileProtocolHandler', url])
    })

    it('in WSL uses the Windows command if wslview fails', async () => {
      const { calls } = await login({ wslview: 'exit 1', 'rundll32.exe': 'exit 0' }, wsl)
      expect(calls.filter((line) => / \d$/.test(line))).toEqual(['wslview 1', 'rundll32.exe 2'])
    })
  },
)
