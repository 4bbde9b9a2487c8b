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

/** The app that the docs belong to. The page shows it in a header, as a link. */
export interface UiHome {
  /** The name of the app. */
  readonly label: string
  /** The address of the app, such as `/`. */
  readonly href: string
  /** A path of this site, or a `data:` URL of an image. */
  readonly logo?: string | undefined
}

/** Colors as `#rrggbb` or `#rgb`. */
export interface UiColors {
  /** Links, buttons and badges. */
  readonly accent?: string | undefined
  /** The background of the page. */
  readonly page?: string | undefined
  /** The background of headers, code and panels. */
  readonly panel?: string | undefined
  readonly line?: string | undefined
  readonly ink?: string | undefined
  /** Secondary text. */
  readonly quiet?: string | undefined
}

export interface UiOptions {
  readonly oauth?: UiOAuthOptions | undefined
  /** A header with a link back to the app. Default: no header. */
  readonly home?: UiHome | undefined
  /** The font families of the page, such as `Inter, sans-serif`. Default: the system's font. */
  readonly font?: string | undefined
  readonly light?: UiColors | undefined
  readonly dark?: UiColors | undefined
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
<link rel="stylesheet" href="${escapeHtml(base)}/assets/theme.css">
</head>
<body>
${ui.home ? renderHome(ui.home) : ''}<noscript><p>This page needs JavaScript. The API description: <a href="${escapeHtml(base)}/spec.json">JSON</a>,
<a href="${escapeHtml(base)}/spec.yaml">YAML</a>.</p></noscript>
<main id="docs" aria-busy="true" data-settings="${escapeHtml(JSON.stringify(settings))}"></main>
<script src="${escapeHtml(base)}/assets/swagger-ui-bundle.js"></script>
<script src="${escapeHtml(base)}/assets/docs.js"></script>
</body>
</html>
`
}

function renderHome({ label, href, logo }: UiHome): string {
  const image = logo === undefined ? '' : `<img src="${escapeHtml(logo)}" alt="" width="24" height="24">`
  return `<header class="home"><div><a href="${escapeHtml(href)}">${image}${escapeHtml(label)}</a><span>API docs</span></div></header>\n`
}

/** The style sheet with the colors and the font of the app. It comes after the page's own. */
export function writeTheme({ font, light = {}, dark = {} }: UiOptions): string {
  const rules = [
    ...(font === undefined ? [] : [`:root {\n  --font: ${font};\n}`]),
    ...writeColors('html:root:not(.dark-mode)', light),
    ...writeColors('html:root.dark-mode', dark),
  ]
  return `${rules.join('\n')}\n`
}

function writeColors(selector: string, colors: UiColors): string[] {
  const lines = Object.entries(colors).flatMap(([name, value]) =>
    value === undefined ? [] : [`  --${name}: ${value};`],
  )
  return lines.length === 0 ? [] : [`${selector} {\n${lines.join('\n')}\n}`]
}

/** The Content-Security-Policy of the page: its own files, and requests to the servers of the description. */
export function writePolicy({ servers = [], securitySchemes = {} }: SpecOptions, { home }: UiOptions = {}): string {
  const urls = [...servers.flatMap(addressesOf), ...Object.values(securitySchemes).flatMap(endpointsOf)]
  const origins = [...new Set(urls.flatMap(originOf))]
  const connect = origins.length > 0 ? [`connect-src 'self' ${origins.join(' ')}`] : []
  const rules = ["default-src 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'"]
  const images = home?.logo?.startsWith('data:') ? ["img-src 'self' data:"] : []
  return [...rules, ...connect, ...images].join('; ')
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
