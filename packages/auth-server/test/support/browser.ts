import type { App, InjectedResponse } from '@portico/http'

export const origin = 'https://app.example'

export interface Sent {
  readonly headers?: Record<string, string>
  readonly form?: Record<string, string>
}

/**
 * A browser without a screen: keeps cookies, sends forms as a browser does, follows redirects within the site and stops
 * at those that lead out of it. With several apps each request goes to the next one.
 */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #apps: readonly App[]
  #turn = 0

  constructor(...apps: readonly App[]) {
    this.#apps = apps
  }

  async get(address: string, sent: Sent = {}): Promise<InjectedResponse> {
    return this.#send('GET', address, sent)
  }

  async head(address: string): Promise<InjectedResponse> {
    return this.#send('HEAD', address, {})
  }

  /** Sends a form as a page of the site would. */
  async post(address: string, form: Record<string, string>, sent: Sent = {}): Promise<InjectedResponse> {
    const headers = { origin, 'sec-fetch-site': 'same-origin', ...sent.headers }
    return this.#send('POST', address, { form, headers })
  }

  /** Follows redirects until there is a page, or an address of somebody else. */
  async follow(answer: InjectedResponse): Promise<{ page?: InjectedResponse; left?: URL }> {
    let here = answer
    for (let hops = 0; hops < 10; hops += 1) {
      const { location } = here.headers
      if (typeof location !== 'string') return { page: here }
      const url = new URL(location, origin)
      if (url.origin !== origin) return { left: url }
      here = await this.get(url.pathname + url.search)
    }
    throw new Error('too many redirects')
  }

  async visit(address: string): Promise<{ page?: InjectedResponse; left?: URL }> {
    return this.follow(await this.get(address))
  }

  async #send(method: 'GET' | 'HEAD' | 'POST', address: string, { form, headers }: Sent): Promise<InjectedResponse> {
    const app = this.#apps[this.#turn++ % this.#apps.length]!
    const url = address.startsWith(origin) ? address.slice(origin.length) : address
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(String(line))
    return answer
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
    if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The hidden fields of the form on a page. */
export function fieldsOf(page: InjectedResponse): Record<string, string> {
  const inputs = [...page.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
}

export function titleOf(page: InjectedResponse | undefined): string {
  return page?.body.match(/<h1>([^<]*)<\/h1>/)?.[1] ?? `no page: ${page?.statusCode} ${page?.body}`
}
