import { createHash } from 'node:crypto'
import { type HttpReply, reply } from '@portico/http'
import type { Brand } from '../brand.ts'
import { html, Markup } from '../shared/html.ts'
import { outline } from './icons.ts'
import { styleFor } from './style.ts'

export interface Page {
  readonly title: string
  /** The result that the page reports. */
  readonly mark?: 'good' | 'bad' | 'quiet' | undefined
  /** The two sides that the page connects: a program or provider, and this application. */
  readonly pairWith?: Markup | undefined
  /** The text under the title. */
  readonly lead: Markup
  readonly body?: Markup | undefined
  readonly status?: number | undefined
  /**
   * True if a form of the page may lead to another site. Browsers apply `form-action` to every redirect after a form,
   * including those of the client, which we do not know: then the policy leaves it out.
   */
  readonly leadsOut?: boolean | undefined
}

/** The frame of every page: the brand, the card, the links. */
export class Layout {
  /** The name of the application. */
  readonly site: string
  readonly #brand: Brand
  readonly #style: string
  readonly #policy: readonly string[]

  /** `icons` are the images that pages show besides the logo. */
  constructor(brand: Brand, icons: readonly string[]) {
    this.site = brand.name
    this.#brand = brand
    this.#style = styleFor(brand.color)
    const images = [brand.logo, ...icons].filter((it) => it !== undefined)
    const sources = [images.some(isPath) && "'self'", !images.every(isPath) && 'data:'].filter((it) => it !== false)
    this.#policy = [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(this.#style).digest('base64')}'`,
      ...(sources.length > 0 ? [`img-src ${sources.join(' ')}`] : []),
    ]
  }

  /** A whole page with strict headers: no scripts, no frames, nothing from other origins, no caching. */
  answer(page: Page): HttpReply {
    const forms = page.leadsOut === true ? [] : ["form-action 'self'"]
    const policy = [...this.#policy, ...forms, "frame-ancestors 'none'", "base-uri 'none'"]
    return reply(this.#render(page), {
      status: page.status ?? 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy.join('; '),
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        // With `no-referrer`, browsers would send `Origin: null` with forms.
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      },
    })
  }

  #render({ title, mark, pairWith, lead, body }: Page): string {
    const { name, links } = this.#brand
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title.includes(name) ? title : `${title} · ${name}`}</title>
<style>${new Markup(this.#style)}</style>
</head>
<body>
<header class="brand">${this.#logo()}<span>${name}</span></header>
<main class="${mark ?? 'plain'}">
${mark && html`<div class="mark">${outline(mark)}</div>`}
${pairWith && html`<div class="pair" aria-hidden="true"><span class="tile">${pairWith}</span><span class="tile">${this.#logo() ?? initialOf(name)}</span></div>`}
<h1>${title}</h1>
<p class="lead">${lead}</p>
${body}
</main>
${links.length > 0 && html`<footer>${links.map(({ label, url }) => html`<a href="${url}">${label}</a>`)}</footer>`}
</body>
</html>
`.text
  }

  #logo(): Markup | undefined {
    const { logo } = this.#brand
    return logo === undefined ? undefined : html`<img src="${logo}" alt="">`
  }
}

/** The first letter of a name, for a tile without an image. */
export function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase()
}

function isPath(image: string): boolean {
  return image.startsWith('/')
}
