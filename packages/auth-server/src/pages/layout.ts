import { createHash } from 'node:crypto'
import { type HttpReply, reply } from '@portico/http'
import { Html, html } from './html.ts'
import { style } from './style.ts'

const styleHash = createHash('sha256').update(style).digest('base64')

const marks = {
  person: '<circle cx="12" cy="9" r="3.25"/><path d="M6 18.5c.8-3 3-4.5 6-4.5s5.2 1.5 6 4.5"/>',
  question: '<path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8m0 3v.01"/>',
  link: '<path d="m10.5 13.5 3-3M9 11l-1.8 1.8a2.5 2.5 0 0 0 3.5 3.5L12.5 14.5M15 13l1.8-1.8a2.5 2.5 0 0 0-3.5-3.5L11.5 9.5"/>',
  good: '<path d="m7 12.5 3.5 3.5L17 9"/>',
  quiet: '<path d="M7.5 12h9"/>',
  bad: '<path d="M12 7v6m0 3.5v.01"/>',
} as const

export interface Page {
  readonly title: string
  /** The name of the application, for the window title. */
  readonly site: string
  readonly mark: keyof typeof marks
  /** The text under the title. */
  readonly lead: Html
  readonly body?: Html | undefined
  readonly status?: number | undefined
  /**
   * True if a form of the page may lead to another site. Browsers apply `form-action` to every redirect after a form,
   * including those of the client, which we do not know: then the policy leaves it out.
   */
  readonly leadsOut?: boolean | undefined
  readonly setCookie?: readonly string[] | undefined
}

/** A whole page with strict headers: no scripts, no frames, nothing from other origins, no caching. */
export function answerPage(page: Page): HttpReply {
  return reply(renderPage(page), {
    status: page.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${styleHash}'`,
        ...(page.leadsOut ? [] : ["form-action 'self'"]),
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      // With `no-referrer`, browsers would send `Origin: null` with forms.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      ...(page.setCookie && page.setCookie.length > 0 && { 'set-cookie': page.setCookie }),
    },
  })
}

function renderPage({ title, site, mark, lead, body }: Page): string {
  const kind = mark === 'good' || mark === 'bad' || mark === 'quiet' ? mark : 'plain'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title.includes(site) ? title : `${title} · ${site}`}</title>
<style>${new Html(style)}</style>
</head>
<body class="${kind}">
<main>
<header>
<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/>${new Html(marks[mark])}</svg>
<h1>${title}</h1>
<p>${lead}</p>
</header>
${body}
</main>
</body>
</html>
`.text
}
