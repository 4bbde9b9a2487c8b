import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type ListeningServer, listen } from './listen.ts'
import { type PeopleProvider, startPeopleProvider } from './people-provider.ts'
import { ask, authorizeUrl, webClient } from './server.ts'

export const looks: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 800, height: 720 }, colorScheme: 'light' },
  dark: { viewport: { width: 800, height: 720 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 720 }, colorScheme: 'light', hasTouch: true },
}

export interface PagesServer {
  readonly server: ListeningServer
  readonly people: PeopleProvider
}

const svg = (content: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${content}</svg>`)}`

/** An arch, as an application might have for a logo. */
const logo = svg('<path fill="#4a74f0" d="M3 22V12a9 9 0 0 1 18 0v10h-5V12a4 4 0 0 0-8 0v10z"/>').replaceAll("'", '%27')

/** Images for providers without a well-known mark. `post` has none, and shows the neutral key. */
const providerIcons = {
  work: svg('<path fill="#0f9d6b" d="M9 3h6v4h7v5H2V7h7zm2 2v2h2V5zM2 14h20v7H2z"/>'),
  home: svg('<path fill="#d9730d" d="M12 2 1 11.5l1.5 1.7L4 12v9h6v-6h4v6h6v-9l1.5 1.2 1.5-1.7z"/>'),
}

/** A server with providers of each kind and a client, until it is disposed of. */
export async function openPages(): Promise<PagesServer & AsyncDisposable> {
  const people = await startPeopleProvider()
  const providers = () => [people.provider('work'), people.provider('home'), people.provider('post', 'form_post')]
  const server = await listen(providers, {
    clients: [webClient],
    policy: { trustEmailVerifiedFrom: ['post'] },
    brand: {
      name: 'Tracker',
      logo,
      links: [
        { label: 'Help', url: '/help' },
        { label: 'Privacy', url: 'https://tracker.example/privacy' },
      ],
    },
    providerIcons,
    providerLabels: { work: 'Example Work', home: 'Example Home', post: 'Example Post' },
  })
  return {
    server,
    people,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await people[Symbol.asyncDispose]()
    },
  }
}

type Way = (page: Page, url: string) => Promise<unknown>

const loopbackRequest = (url: string) => url + authorizeUrl(ask({ scope: 'openid tasks' }))

async function signIn(page: Page, url: string, person: string, way: string): Promise<void> {
  await page.goto(`${url}/auth/sign-in?return_to=/auth/logout`)
  await page.getByRole('link', { name: way }).click()
  await page.getByRole('link', { name: person, exact: true }).click()
  await returned(page, url)
}

/** The provider is at another origin. A page that is still on its way back would be cut off by the next step. */
function returned(page: Page, url: string): Promise<void> {
  return page.waitForURL(({ origin }) => origin === url)
}

/** Every page that people see, and how they get there. */
export const pages: Record<string, Way> = {
  'sign-in': (page, url) => page.goto(loopbackRequest(url)),
  consent: async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    await page.goto(loopbackRequest(url))
  },
  'consent-client': async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    const client = { client_id: 'web', redirect_uri: 'https://shop.example/callback', scope: 'openid profile email' }
    await page.goto(url + authorizeUrl(ask(client)))
  },
  link: async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    await signIn(page, url, 'like-ada', 'Example Home')
  },
  'link-own': async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    await page.goto(`${url}/auth/sign-in?return_to=/auth/logout`)
    await page.getByRole('link', { name: 'Example Post' }).click()
    await page.getByRole('button', { name: 'like-ada' }).click()
    await returned(page, url)
  },
  declined: (page, url) => signIn(page, url, 'decline', 'Example Work'),
  error: (page, url) => page.goto(url + authorizeUrl(ask({ redirect_uri: 'http://localhost:4100/callback' }))),
  account: async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    await page.goto(`${url}/auth/account`)
  },
  connect: async (page, url) => {
    await signIn(page, url, 'ada', 'Example Work')
    await page.goto(`${url}/auth/account`)
    await page.getByRole('button', { name: 'Connect Example Home', exact: true }).click()
    await page.getByRole('link', { name: 'eve', exact: true }).click()
    await returned(page, url)
  },
  'sign-out': (page, url) => signIn(page, url, 'ada', 'Example Work'),
  'signed-out': (page, url) => page.goto(`${url}/auth/signed-out`),
}

/** Opens one of the pages in a fresh browser context. */
export async function visitPage(
  browser: Browser,
  { server }: PagesServer,
  name: string,
  look: BrowserContextOptions,
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(look)
  try {
    const page = await context.newPage()
    await pages[name]!(page, server.url)
    await visit(page)
  } finally {
    await context.close()
  }
}
