import type { HttpReply } from '@portico/http'
import { capitalize } from './capitalize.ts'
import { type Html, html } from './html.ts'
import { answerPage } from './layout.ts'

export interface AccountPage {
  readonly person: string
  /** The message after a change. */
  readonly done: string | undefined
  /** The address to sign in again, if the sign-in is not recent enough for changes. */
  readonly again: string | undefined
  readonly identities: readonly {
    readonly id: string
    readonly label: string
    readonly who: string
    /** Absent if it cannot be disconnected. */
    readonly formToken: string | undefined
  }[]
  readonly others: readonly { readonly id: string; readonly label: string; readonly formToken: string }[]
}

export interface ConnectionPage {
  readonly label: string
  readonly who: string
  readonly person: string
  readonly linkId: string
  readonly formToken: string
}

/** The identity to connect, by the name that the person has at the provider. */
export function connected(label: string, who: string): Html {
  return who === '' ? html`your account at ${label}` : html`<strong>${who}</strong> at ${label}`
}

/** The ways to sign in to an account, and the providers that can be added. */
export function accountPage(site: string, { person, done, again, identities, others }: AccountPage): HttpReply {
  const ways = identities.map(
    ({ id, label, who, formToken }) => html`<li><strong>${capitalize(label)}</strong>${who !== '' && html`<br>${who}`}
${
  formToken !== undefined &&
  html`<form method="post" action="/auth/account/disconnect">
<input type="hidden" name="identity" value="${id}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button" aria-label="Disconnect ${label} ${who}">Disconnect</button>
</form>`
}</li>`,
  )
  const connect = others.map(
    ({ id, label, formToken }) => html`<form method="post" action="/auth/account/connect/${encodeURIComponent(id)}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button">Connect ${label}</button>
</form>`,
  )
  return answerPage({
    title: 'Ways to sign in',
    site,
    mark: 'link',
    lead: html`They all lead to your ${site} account, <strong>${person}</strong>.`,
    // The button of a provider leads to its site.
    leadsOut: again === undefined,
    body: html`${done !== undefined && html`<p class="note" role="status">${done}</p>`}
<ul class="scopes">${ways}</ul>
${identities.length === 1 && html`<p class="hint">It is your only way in, so it cannot be disconnected. Add another one first.</p>`}
${
  again === undefined
    ? html`<h2>Add another one</h2>
<div class="ways">${connect}</div>`
    : html`<p class="note">To change them, sign in again first: it shows that it is you.</p>
<a class="button primary" href="${again}">Sign in again</a>`
}
<p class="who"><a href="/">Back to ${site}</a></p>`,
  })
}

/** Asks before an identity is connected: whoever holds it can sign in to the account from then on. */
export function connectionPage(site: string, { label, who, person, linkId, formToken }: ConnectionPage): HttpReply {
  return answerPage({
    title: `Connect ${label}?`,
    site,
    mark: 'link',
    lead: html`From then on, ${connected(label, who)} signs in to your ${site} account, <strong>${person}</strong>.`,
    body: html`<form method="post" action="/auth/account/confirm">
<input type="hidden" name="link" value="${linkId}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button primary">Connect</button>
</form>
<a class="button" href="/auth/account">Cancel</a>`,
  })
}
