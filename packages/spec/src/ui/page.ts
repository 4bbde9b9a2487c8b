import type { HttpRequest } from '@portico/http'
import type { SecurityScheme, Server } from '../document.ts'
import type { SpecOptions } from '../options.ts'

/** Sign-in from the docs page, with the first `authorizationCode` flow of `securitySchemes`. */
export interface UiOAuthOptions {
  /** The id of a public client: the page has no secret and uses PKCE. */
  readonly clientId: string
  /** The scopes that are selected by default. */
  readonly scopes?: readonly string[] | undefined
}

export interface UiOptions {
  readonly oauth?: UiOAuthOptions | undefined
}

/** The docs page. Its links are relative, so that it works behind any proxy. */
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
<noscript><p>This page needs JavaScript. The API description: <a href="${escapeHtml(base)}/spec.json">JSON</a>,
<a href="${escapeHtml(base)}/spec.yaml">YAML</a>.</p></noscript>
<main id="docs" aria-busy="true" data-settings="${escapeHtml(JSON.stringify(settings))}"></main>
<script src="${escapeHtml(base)}/assets/swagger-ui-bundle.js"></script>
<script src="${escapeHtml(base)}/assets/docs.js"></script>
</body>
</html>
`
}

/** The Content-Security-Policy of the page: its own files, and requests to the servers of the description. */
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

/** The URLs of a server, with all values of its variables. */
function addressesOf({ url, variables = {} }: Server): string[] {
  return Object.entries(variables).reduce(
    (urls, [name, { default: first, enum: values = [first] }]) =>
      urls.flatMap((it) => values.map((value) => it.replaceAll(`{${name}}`, () => value))),
    [url],
  )
}

/** The origin in the syntax of the policy; none if the policy cannot express it. */
function originOf(url: string): string[] {
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : []
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
