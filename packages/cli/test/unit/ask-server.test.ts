import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askRevocation, askStatus } from '../../dist/login/ask-server.js'

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
  ['who somebody is', askStatus],
  ['to end a token', askRevocation],
])('a server that is asked %s', (_, ask) => {
  it('is not waited for longer than it may take to answer', async () => {
    const url = await serve(() => {})
    await expect(ask(url, 'token', 100)).rejects.toThrow(`${url} cannot be reached: no answer within 0.1 s`)
  })

  it('may not take longer by sending its answer bit by bit', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    })
    await expect(ask(url, 'token', 300)).rejects.toThrow('no answer within 0.3 s')
  })

  it('may not send more than 1 MiB', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(1024 * 1024 + 1)))
    await expect(ask(url, 'token')).rejects.toThrow('its answer is larger than 1 MiB')
  })

  it('cannot send the token on to another', async () => {
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
