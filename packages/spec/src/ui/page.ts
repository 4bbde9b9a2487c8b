import type { HttpRequest } from '@portico/http'
import type { SecurityScheme, Server } from '../document.ts'
import type { SpecOptions } from '../options.ts'

/** Sign-in from the docs page, with the first `authorizationCode` flow of `securitySchemes`. */
export interface UiOAuthOptions {
  /** Of a public client: the page keeps no secret, PKCE is the binding. */
  readonly clientId: string
  /** The scopes that are ticked from the start. */
  readonly scopes?: readonly string[] | undefined
}

export interface UiOptions {
  readonly oauth?: UiOAuthOptions | undefined
}

/** The docs page. What it loads is told relative to its own address, so that it works behind any proxy. */
export function renderPage({ title = 'API' }: SpecOptions, ui: UiOptions, { url }: HttpRequest): string {
  const path = url.split('?', 1)[0]!
  const base = path.endsWith('/') ? '.' : `./${path.slice(path.lastIndexOf('/') + 1)}`
  const settings = {
    specUrl: `${base}/spec.json`,
    redirectUrl: `${base}/assets/oauth2-redirect.html`,
    ...(ui.oauth && { oauth: ui.oauth }),
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(base)}/assets/icon.svg">
<link rel="stylesheet" href="${escapeHtml(base)}/assets/swagger-ui.css">
<link rel="stylesheet" href="${escapeHtml(base)}/assets/docs.css">
</head>
<body>
<noscript><p>These pages need JavaScript. The description itself: <a href="${escapeHtml(base)}/spec.json">JSON</a>,
<a href="${escapeHtml(base)}/spec.yaml">YAML</a>.</p></noscript>
<main id="docs" aria-busy="true" data-settings="${escapeHtml(JSON.stringify(settings))}"></main>
<script src="${escapeHtml(base)}/assets/swagger-ui-bundle.js"></script>
<script src="${escapeHtml(base)}/assets/docs.js"></script>
</body>
</html>
`
}

/** What the page may load: its own files, and answers of the servers that the description names. */
export function writePolicy({ servers = [], securitySchemes = {} }: SpecOptions): string {
  const urls = [...servers.flatMap(addressesOf), ...Object.values(securitySchemes).flatMap(endpointsOf)]
  const origins = [...new Set(urls.flatMap(originOf))]
  const connect = origins.length > 0 ? [`connect-src 'self' ${origins.join(' ')}`] : []
  const rules = ["default-src 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'"]
  return [...rules, ...connect].join('; ')
}

function endpointsOf(scheme: SecurityScheme): string[] {
  if (scheme.type === 'openIdConnect') return [scheme.openIdConnectUrl]
  if (scheme.type !== 'oauth2') return []
  return Object.values(scheme.flows).flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl ?? '', refreshUrl ?? ''])
}

/** The addresses that a server stands for, with each value that its variables may have. */
function addressesOf({ url, variables = {} }: Server): string[] {
  return Object.entries(variables).reduce(
    (urls, [name, { default: first, enum: values = [first] }]) =>
      urls.flatMap((it) => values.map((value) => it.replaceAll(`{${name}}`, () => value))),
    [url],
  )
}

/** The origin as a policy writes it; nothing for an address that no policy can name. */
function originOf(url: string): string[] {
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : []
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
