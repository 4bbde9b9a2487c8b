import { createHash, randomBytes } from 'node:crypto'

const callback = 'http://127.0.0.1:9/callback'

/** A minimal browser: cookies, redirects and forms over plain HTTP, for tests that need no rendering. */
export class Visitor {
  readonly #cookies = new Map<string, string>()
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  /** Requests a URL, or sends a form to it, with the headers of a same-site page unless `headers` override them. */
  async send(
    url: string,
    form?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const target = new URL(url, this.#address)
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(target, {
      redirect: 'manual',
      headers: { cookie, ...(headers ?? (form && { origin: target.origin })) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  /** Follows redirects to a page, or to the program that waits for a code. */
  async follow(response: Response): Promise<{ url: string; response: Response }> {
    let [last, url] = [response, response.url]
    for (;;) {
      const location = last.headers.get('location')
      if (location === null) return { url, response: last }
      url = new URL(location, url).href
      if (url.startsWith(callback)) return { url, response: last }
      await last.arrayBuffer()
      last = await this.send(url)
    }
  }

  /** Signs in with a local provider. */
  async signIn(person: string, provider = 'home'): Promise<Response> {
    const people = await this.follow(await this.send(`/auth/oauth/${provider}/start?return_to=/account`))
    await people.response.arrayBuffer()
    return (await this.follow(await this.send(people.url, { person }))).response
  }

  /** Consents to a program, and follows the redirect to it with the code. */
  async allow(authorizeUrl: string): Promise<Response> {
    const { response } = await this.#consent(authorizeUrl)
    return response
  }

  async #consent(authorizeUrl: string): Promise<{ url: string; response: Response }> {
    const { response } = await this.follow(await this.send(authorizeUrl))
    const page = await response.text()
    const fields = Object.fromEntries(
      [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    return this.follow(await this.send('/auth/consent', { ...fields, decision: 'allow' }))
  }

  /** Gets a token like a terminal program, for the signed-in user. */
  async getToken(scope = 'tasks'): Promise<string> {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      redirect_uri: callback,
      state: 'state',
      scope,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const allowed = await this.#consent(`/auth/authorize?${query.toString()}`)
    const code = new URL(allowed.url).searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: callback }
    const answer = await fetch(`${this.#address}/auth/token`, { method: 'POST', body: new URLSearchParams(grant) })
    const { access_token: token } = (await answer.json()) as { access_token?: string }
    if (token === undefined) throw new Error(`no token: ${answer.status}`)
    return token
  }
}

/** Signs in with a new browser and returns a token. */
export async function tokenOf(address: string, person: string): Promise<string> {
  const visitor = new Visitor(address)
  await visitor.signIn(person)
  return visitor.getToken()
}
