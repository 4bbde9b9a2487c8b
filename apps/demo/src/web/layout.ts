import { createHash } from 'node:crypto'
import { type HttpReply, reply } from '@portico/http'
import { html, Markup } from '../shared/html.ts'
import { style } from './style.ts'

/** Who looks at a page. */
export interface Viewer {
  readonly userId: string
  readonly name: string
}

export interface Page {
  readonly title: string
  /** Nobody is signed in where there is none. */
  readonly viewer?: Viewer | undefined
  /** The address of the page in the navigation. */
  readonly current?: string
  readonly body: Markup
  readonly status?: number
}

const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing but this page's own style, forms that lead to this site, no frames, no copies kept. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  // With no referrer at all, browsers would send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

export function answerPage(page: Page): HttpReply {
  return reply(renderPage(page).text, { status: page.status ?? 200, headers })
}

const links = [
  { href: '/', label: 'Tasks' },
  { href: '/account', label: 'Sign-ins' },
]

function renderPage({ title, viewer, current, body }: Page): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Task tracker</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="bar"><div>
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="18" height="18" rx="5"/><path d="m8 12.5 3 3 5.5-6.5"/></svg>Task tracker</a>
<nav aria-label="Pages">
${viewer && links.map(({ href, label }) => html`<a href="${href}"${href === current && new Markup(' aria-current="page"')}>${label}</a>`)}
<a href="/api-docs">API docs</a>
</nav>
${viewer && renderMe(viewer)}
</div></header>
<main id="main">
${body}
</main>
</body>
</html>
`
}

function renderMe({ name }: Viewer): Markup {
  return html`<div class="me"><span>${name}</span>
<form method="post" action="/auth/logout"><input type="hidden" name="return_to" value="/"><button class="button slim">Sign out</button></form></div>`
}
