import { describe, expect, it } from 'vitest'
import { answerJson, type Overrides, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectPromptEnd, loginProgram, runProgram } from './support/programs.ts'

const ways: [string, string, Overrides, object][] = [
  ['signed in', 'user-1', {}, {}],
  ['declined', 'provider_denied', { callback: { error: 'access_denied' } }, {}],
  ['a wrong state', 'state_mismatch', { callback: { state: 'wrong' } }, {}],
  ['a refused code', 'exchange_failed', { token: answerJson({}, 400) }, {}],
  ['a huge token answer', 'exchange_failed', { token: (response) => response.end('x'.repeat(2_000_000)) }, {}],
  ['a status that says no', 'status_check_failed', { status: answerJson({}, 401) }, {}],
]

describe('a program whose last line is await authorize(…) exits at once', () => {
  it.each(ways)('%s', async (_, ending, overrides, options) => {
    await using server = await startAuthorizationServer(overrides)
    await using program = await runProgram(loginProgram({ ...server.options, ...options }))
    const url = (await program.line(/^url /)).slice(4)
    await (await fetch(url)).text()
    await program.line(new RegExp(`^settled ${ending}$`))
    await expectPromptEnd(program)
  })

  it('timed out', async () => {
    await using server = await startAuthorizationServer()
    await using program = await runProgram(loginProgram({ ...server.options, timeoutMs: 100 }))
    await program.line(/^settled timeout$/)
    expect((await program.ended).code).toBe(0)
  })

  it('onUrl threw', async () => {
    await using server = await startAuthorizationServer()
    await using program = await runProgram(`
import { authorize } from '@portico/login'
await authorize({ ...${JSON.stringify(server.options)}, openBrowser: false, onUrl: () => { throw new Error('x') } }).catch((error) => console.log('settled ' + error.code))
`)
    await program.line(/^settled exchange_failed$/)
    expect((await program.ended).code).toBe(0)
  })
})

it('waiting keeps the process alive', async () => {
  await using server = await startAuthorizationServer()
  await using program = await runProgram(loginProgram(server.options))
  const url = (await program.line(/^url /)).slice(4)
  const early = await Promise.race([program.ended, new Promise((resolve) => setTimeout(() => resolve('alive'), 500))])
  expect(early).toBe('alive')
  await (await fetch(url)).text()
  await program.line(/^settled user-1$/)
})

it('Ctrl-C during the wait ends the program and frees its port', async () => {
  await using server = await startAuthorizationServer()
  await using program = await runProgram(loginProgram(server.options))
  const url = (await program.line(/^url /)).slice(4)
  program.process.kill('SIGINT')
  expect((await program.ended).signal).toBe('SIGINT')
  await expect(fetch(new URL(url).searchParams.get('redirect_uri') ?? '')).rejects.toThrow()
})

it('leaves nothing in the process: no server, socket or timer', async () => {
  await using server = await startAuthorizationServer()
  await using program = await runProgram(`${loginProgram(server.options)}
await new Promise((resolve) => setTimeout(resolve, 10))
const ours = process.getActiveResourcesInfo().filter((it) => /TCPServer|Timeout/.test(it))
console.log('left ' + JSON.stringify(ours))
`)
  await (await fetch((await program.line(/^url /)).slice(4))).text()
  expect(await program.line(/^left /)).toBe('left []')
})
