/** Goes through sign-ins over real connections: cookies by origin, redirects, and forms that send themselves. */
export class HttpBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Opens an address and follows it until a page comes, or an address that begins with `stopAt`. */
  async open(address: string | URL, stopAt: string): Promise<{ url: URL; page: string }> {
    return this.#go('GET', new URL(address), undefined, stopAt)
  }

  /** The same browser after its cookies of one site were deleted. */
  without(origin: string): HttpBrowser {
    const other = new HttpBrowser()
    for (const [site, jar] of this.#cookies) if (site !== origin) other.#cookies.set(site, jar)
    return other
  }

  async submit(page: { url: URL; page: string }, fields: Record<string, string>, stopAt: string) {
    const form = readForm(page.page)!
    const body = new URLSearchParams({ ...form.fields, ...fields })
    return this.#go('POST', new URL(form.action, page.url), body, stopAt)
  }

  /** Opens an authorization request and grants it, signing in with the first provider on the way. */
  async grant(address: string | URL, stopAt: string): Promise<URL> {
    let here = await this.open(address, stopAt)
    const way = here.page.match(/href="(\/auth\/oauth\/[^"]*)"/)?.[1]
    if (way) here = await this.open(new URL(way.replaceAll('&amp;', '&'), here.url), stopAt)
    if (!here.url.href.startsWith(stopAt)) here = await this.submit(here, { decision: 'allow' }, stopAt)
    if (!here.url.href.startsWith(stopAt)) throw new Error(`stopped at ${here.url}: ${here.page}`)
    return here.url
  }

  async #go(method: string, url: URL, body: URLSearchParams | undefined, stopAt: string, from?: URL) {
    let [verb, here, form, sender] = [method, url, body, from]
    for (let hops = 0; hops < 20; hops += 1) {
      if (here.href.startsWith(stopAt)) return { url: here, page: '' }
      const answer = await this.#send(verb, here, form, sender)
      const location = answer.headers.get('location')
      const page = await answer.text()
      if (location !== null) {
        ;[verb, sender, form] = ['GET', undefined, undefined]
        here = new URL(location, here)
        continue
      }
      const own = /document\.forms\[0\]\.submit|onload=.*submit/.test(page) ? readForm(page) : undefined
      if (!own) return { url: here, page }
      ;[verb, sender, form] = ['POST', here, new URLSearchParams(own.fields)]
      here = new URL(own.action, here)
    }
    throw new Error('too many redirects')
  }

  async #send(method: string, url: URL, body: URLSearchParams | undefined, sender?: URL): Promise<Response> {
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>()
    this.#cookies.set(url.origin, jar)
    // Lax cookies stay at home when a form of another site is sent.
    const isForeign = method === 'POST' && sender !== undefined && sender.origin !== url.origin
    const cookie = isForeign ? '' : [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const origin = (sender ?? url).origin
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), ...(method === 'POST' && { origin }) },
      ...(body && { body }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      jar.set(name, value)
    }
    return answer
  }
}

function readForm(page: string): { action: string; fields: Record<string, string> } | undefined {
  const action = page.match(/<form[^>]*action="([^"]*)"/)?.[1]
  if (action === undefined) return undefined
  const inputs = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}
