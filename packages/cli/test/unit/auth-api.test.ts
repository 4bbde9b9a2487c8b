import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchStatus, revokeToken } from '../../dist/login/auth-api.js'

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.each([
  ['for the status', fetchStatus],
  ['to revoke a token', revokeToken],
])('a request %s', (_, ask) => {
  it('has a time limit', async () => {
    const url = await serve(() => {})
    await expect(ask(url, 'token', 100)).rejects.toThrow(`${url} cannot be reached: no response within 0.1 s`)
  })

  it('has a time limit for the whole response', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    })
    await expect(ask(url, 'token', 300)).rejects.toThrow('no response within 0.3 s')
  })

  it('accepts at most 1 MiB', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(1024 * 1024 + 1)))
    await expect(ask(url, 'token')).rejects.toThrow('the response is larger than 1 MiB')
  })

  it('does not follow redirects with the token', async () => {
    const asked: unknown[] = []
    const other = await serve((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const url = await serve((_, response) => response.writeHead(307, { location: other }).end())
    expect(await ask(url, 'token')).toMatchObject({ status: 307 })
    expect(asked).toEqual([])
  })
})
