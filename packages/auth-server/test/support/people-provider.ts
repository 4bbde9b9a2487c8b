import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeIdentityProvider } from '@portico/identity'
import { createPeople } from './server.ts'

/** The page of a provider at which a person picks who to be. */
export interface PeopleProvider extends AsyncDisposable {
  /** A provider that answers by redirect, or by a form that the person sends. */
  provider(id: string, mode?: 'query' | 'form_post'): FakeIdentityProvider
}

const people = ['ada', 'eve', 'kim', 'like-ada']

/** Serves at `localhost`, which is another site to a browser than `127.0.0.1`. */
export async function startPeopleProvider(): Promise<PeopleProvider> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const target = searchParams.get('redirect_uri') ?? ''
    const state = searchParams.get('state') ?? ''
    const body = pathname === '/form_post' ? formPage(target, state) : linkPage(target, state)
    response.setHeader('content-type', 'text/html; charset=utf-8').end(body)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    provider: (id, mode = 'query') => createPeople(id, `${url}/${mode}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function linkPage(target: string, state: string): string {
  const addressOf = (answer: Record<string, string>) =>
    `${target}?${new URLSearchParams({ ...answer, state })}`.replaceAll('&', '&amp;')
  const links = people.map((code) => `<p><a href="${addressOf({ code })}">${code}</a>`)
  return `<!doctype html><title>Provider</title>${links.join('')}<p><a href="${addressOf({ error: 'access_denied' })}">decline</a>`
}

function formPage(target: string, state: string): string {
  const buttons = people.map((code) => `<button name="code" value="${code}">${code}</button>`)
  return `<!doctype html><title>Provider</title><form method="post" action="${target}"><input type="hidden" name="state" value="${state}">${buttons.join('')}</form>`
}
