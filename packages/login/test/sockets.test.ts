import { connect, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { type Login, startLogin } from './support/login.ts'
import { expectPromptEnd, loginProgram, runProgram } from './support/programs.ts'

/** Opens sockets to a login's server, sends `bytes` on each and leaves them open. */
async function openSockets(port: number, count: number, bytes = ''): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      return new Promise<Socket>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
          if (bytes) socket.write(bytes)
          resolve(socket)
        })
        socket.once('error', reject).once('connect', () => socket.off('error', reject).on('error', () => {}))
      })
    }),
  )
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) =>
    socket.closed
      ? resolve()
      : socket
          .resume()
          .once('end', resolve)
          .once('close', () => resolve()),
  )
}

async function complete(login: Login): Promise<void> {
  await (await fetch(login.url)).text()
  expect((await login.result).userId).toBe('user-1')
}

const attacks: [string, number, string][] = [
  ['preconnected sockets that never speak', 20, ''],
  ['half a request line', 20, 'GET /callb'],
  ['headers that never end', 20, 'GET /callback HTTP/1.1\r\nHost: 127.0.0.1\r\nX-'],
  ['a body that never comes', 20, 'POST /callback HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc'],
  ['1,000 connections', 1_000, ''],
  ['1,000 slow requests', 1_000, 'GET /callback?code=c HTTP/1.1\r\nHos'],
]

describe('sockets that are held open', () => {
  it.each(attacks)('%s: the login completes and closes every socket', async (_, count, bytes) => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const sockets = await openSockets(login.port, count, bytes)
    await complete(login)
    await Promise.all(sockets.map(closed))
    for (const socket of sockets) socket.destroy()
    await expect(openSockets(login.port, 1)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each(attacks)('%s: the program still exits at once', async (_, count, bytes) => {
    await using server = await startAuthorizationServer()
    await using program = await runProgram(loginProgram(server.options))
    const url = (await program.line(/^url /)).slice(4)
    const sockets = await openSockets(
      Number(new URL(new URL(url).searchParams.get('redirect_uri') ?? '').port),
      count,
      bytes,
    )
    await (await fetch(url)).text()
    await program.line(/^settled user-1/)
    await expectPromptEnd(program)
    for (const socket of sockets) socket.destroy()
  })

  it('a slow byte-by-byte request neither ends nor delays the login', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const [socket] = await openSockets(login.port, 1)
    const drip = setInterval(() => socket?.write('G'), 1)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await complete(login)
    clearInterval(drip)
    socket?.destroy()
  })

  it('a browser that leaves during the exchange does not fail the login', async () => {
    let answer = () => {}
    await using server = await startAuthorizationServer({
      token: (response) => {
        answer = () => response.end('{"access_token":"t","userId":"user-1"}')
      },
      status: (response) => response.end(),
    })
    const login = await startLogin(server.options)
    const [socket] = await openSockets(
      login.port,
      1,
      `GET ${new URL(login.callback({ code: 'c', state: login.state })).href.slice(login.redirectUri.length - 9)} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`,
    )
    await expect.poll(() => server.seen.token.length).toBe(1)
    socket?.resetAndDestroy()
    await new Promise((resolve) => setTimeout(resolve, 20))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    answer()
    expect((await login.result).userId).toBe('user-1')
    // No browser waits for the page, so nothing is sent.
    expect(timers.mock.calls.map(([, ms]) => ms)).not.toContain(1_000)
    timers.mockRestore()
  })

  it('a reload of the callback during the exchange shows the same page, and the code is used once', async () => {
    let answer = () => {}
    await using server = await startAuthorizationServer({
      token: (response) => {
        answer = () => response.end('{"access_token":"t"}')
      },
      status: (response) => response.end(),
    })
    const login = await startLogin(server.options)
    const callback = login.callback({ code: 'c', state: login.state })
    const pages = [fetch(callback), fetch(callback)]
    await expect.poll(() => server.seen.token.length).toBe(1)
    const other = await fetch(login.callback({ code: 'other', state: login.state }))
    expect(other.status).toBe(410)
    await other.text()
    answer()
    for (const page of await Promise.all(pages)) expect(await page.text()).toContain('You are signed in')
    await login.result
    expect(server.seen.token).toHaveLength(1)
  })

  it('a browser that does not read its page does not delay the login', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const authorized = await fetch(login.url, { redirect: 'manual' })
    const { pathname, search } = new URL(authorized.headers.get('location') ?? '')
    const [socket] = await openSockets(login.port, 1)
    socket?.pause().write(`GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`)
    expect((await login.result).userId).toBe('user-1')
    socket?.destroy()
  })
})
