import { type HttpReply, reply } from '@portico/http'
import { html, Markup } from '../shared/html.ts'
import { script, style } from './assets.ts'

/** The signed-in user of a page. */
export interface Viewer {
  readonly userId: string
  readonly name: string
}

export interface Page {
  readonly title: string
  /** Absent if no user is signed in. */
  readonly viewer?: Viewer | undefined
  /** The address of the page in the navigation. */
  readonly current?: string | undefined
  readonly body: Markup
  readonly status?: number | undefined
}

/** The page may use its own style and script and send forms to this site, and nothing else. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${style.source}; script-src ${script.source}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
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
<style>${style.text}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar"><div>
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="18" height="18" rx="5"/><path d="m8 12.5 3 3 5.5-6.5"/></svg>Task tracker</a>
<nav aria-label="Pages">
${viewer && links.map(({ href, label }) => html`<a href="${href}"${href === current && new Markup(' aria-current="page"')}>${label}</a>`)}
<a href="/api-docs">API docs</a>
</nav>
${viewer ? renderMe(viewer) : html`<a class="button slim" href="/auth/sign-in?return_to=/">Sign in</a>`}
</div></header>
<main id="main">
${body}
</main>
<script>${script.text}</script>
</body>
</html>
`
}

function renderMe({ name }: Viewer): Markup {
  return html`<div class="me"><span>${name}</span>
<form method="post" action="/auth/logout"><input type="hidden" name="return_to" value="/"><button class="button slim">Sign out</button></form></div>`
}
