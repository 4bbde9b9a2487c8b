import type { Access } from '@portico/auth-server'
import type { HttpReply } from '@portico/http'
import type { FederatedIdentity } from '@portico/identity'
import { html, type Markup } from '../shared/html.ts'
import { showCommand } from './command.ts'
import { showAge, showMoment } from './dates.ts'
import { answerPage, type Viewer } from './layout.ts'

export interface AccountPage {
  readonly viewer: Viewer
  /** The session of the browser that shows the page. */
  readonly currentId: string
  readonly access: readonly Access[]
  readonly identities: readonly FederatedIdentity[]
  readonly labelOf: (provider: string) => string
  readonly address: string
}

export function answerAccount(page: AccountPage): HttpReply {
  const { viewer, currentId, access, identities, labelOf, address } = page
  return answerPage({
    title: 'Where you are signed in',
    viewer,
    current: '/account',
    body: html`<h1>Where you are signed in</h1>
<p class="lead">Browsers, and programs with a token. Ending a session takes effect immediately.</p>
<ul class="rows">${access.map((it) => showAccess(it, currentId, labelOf))}</ul>
<h2>From a terminal</h2>
<p class="lead">This command signs in a program, which then appears above.</p>
${showCommand(`npx portico login ${address} --scope tasks`)}
<h2>Your sign-in accounts</h2>
<p class="lead">You can sign in with each of them. <a href="/auth/account">Connect or disconnect accounts</a></p>
<ul class="rows">${identities.map(
      ({ provider, email, linkedAt }) =>
        html`<li><div class="what"><strong>${capitalize(labelOf(provider))}</strong><p>${email} · connected ${showMoment(linkedAt)}</p></div></li>`,
    )}</ul>`,
  })
}

/** The current session has no End button: signing out, in the header, ends it. */
function showAccess(access: Access, currentId: string, labelOf: AccountPage['labelOf']): Markup {
  const { id, kind, provider, scope = '', createdAt, lastUsedAt } = access
  const name = nameOf(access)
  const isCurrent = id === currentId
  return html`<li><div class="what"><strong>${name}</strong> ${isCurrent && html`<span class="tag here">This browser</span>`}
<p>Signed in ${showMoment(createdAt)}${provider !== undefined && html` with ${labelOf(provider)}`}${kind === 'token' && html` · can use: ${scope === '' ? 'your name only' : scope}`}</p>
${!isCurrent && lastUsedAt !== undefined && html`<p>Last used ${showAge(lastUsedAt)}</p>`}</div>
${!isCurrent && html`<form method="post" action="/account/${id}/end"><button class="button slim danger" aria-label="End ${name}">End</button></form>`}</li>`
}

function nameOf({ kind, clientId, userAgent = '' }: Access): string {
  if (clientId !== undefined) return 'The API docs'
  return kind === 'token' ? 'A program on a computer' : describeBrowser(userAgent)
}

/** In order: Chrome's name is also in the headers of Edge and Opera, and Safari's in those of Chrome. */
const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const
const displayNames: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

function describeBrowser(userAgent: string): string {
  const browser = browsers.find((it) => userAgent.includes(it))
  const system = systems.find((it) => userAgent.includes(it))
  const name = browser === undefined ? 'A browser' : (displayNames[browser] ?? browser)
  return system === undefined ? name : `${name} on ${displayNames[system] ?? system}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
