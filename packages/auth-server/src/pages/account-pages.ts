import type { HttpReply } from '@portico/http'
import { html, type Markup } from '../shared/html.ts'
import { capitalize } from './capitalize.ts'
import { showDate } from './date.ts'
import type { Layout } from './layout.ts'
import type { ProviderView } from './provider-view.ts'

export interface AccountPage {
  readonly person: string
  /** The message after a change. */
  readonly done: string | undefined
  /** The address to sign in again, if the sign-in is not recent enough for changes. */
  readonly again: string | undefined
  readonly identities: readonly {
    readonly id: string
    readonly provider: ProviderView
    readonly who: string
    readonly linkedAt: number
    readonly lastLoginAt: number | undefined
    /** Absent if it cannot be disconnected. */
    readonly formToken: string | undefined
  }[]
  readonly others: readonly { readonly provider: ProviderView; readonly formToken: string }[]
}

export interface ConnectionPage {
  readonly provider: ProviderView
  readonly who: string
  readonly person: string
  readonly linkId: string
  readonly formToken: string
}

/** The identity to connect, by the name that the person has at the provider. */
export function describeIdentity(label: string, who: string): Markup {
  return who === '' ? html`your account at ${label}` : html`<strong>${who}</strong> at ${label}`
}

/** The ways to sign in to an account, and the providers that can be added. */
export function accountPage(layout: Layout, { person, done, again, identities, others }: AccountPage): HttpReply {
  const { site } = layout
  const connect = others.map(
    ({
      provider,
      formToken,
    }) => html`<form method="post" action="/auth/account/connect/${encodeURIComponent(provider.id)}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button">${provider.icon}<span>Connect ${provider.label}</span></button>
</form>`,
  )
  return layout.answer({
    title: 'Ways to sign in',
    lead: html`Each of them signs you in to your ${site} account, <strong>${person}</strong>.`,
    // The button of a provider leads to its site.
    leadsOut: again === undefined,
    body: html`${done !== undefined && html`<p class="note" role="status">${done}</p>`}
<ul class="list">${identities.map(identityRow)}</ul>
${identities.length === 1 && html`<p class="hint">This is your only way to sign in, so it cannot be disconnected. Add another one first.</p>`}
${
  again === undefined
    ? html`<h2>Add another one</h2>
<div class="ways">${connect}</div>`
    : html`<p class="note">To change them, sign in again first, so that we know it is you.</p>
<a class="button primary" href="${again}">Sign in again</a>`
}
<p class="who"><a href="/">Back to ${site}</a></p>`,
  })
}

function identityRow({
  id,
  provider,
  who,
  linkedAt,
  lastLoginAt,
  formToken,
}: AccountPage['identities'][number]): Markup {
  return html`<li>${provider.icon}<div class="about"><strong>${capitalize(provider.label)}</strong>
${who !== '' && html`<p>${who}</p>`}
<p>Connected ${showDate(linkedAt)}</p>
${lastLoginAt !== undefined && html`<p>Last used ${showDate(lastLoginAt)}</p>`}</div>
${
  formToken !== undefined &&
  html`<form method="post" action="/auth/account/disconnect">
<input type="hidden" name="identity" value="${id}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button slim" aria-label="Disconnect ${provider.label} ${who}">Disconnect</button>
</form>`
}</li>`
}

/** Asks before an identity is connected: whoever holds it can sign in to the account from then on. */
export function connectionPage(
  layout: Layout,
  { provider, who, person, linkId, formToken }: ConnectionPage,
): HttpReply {
  const { label, icon } = provider
  return layout.answer({
    title: `Connect ${label}?`,
    pairWith: icon,
    lead: html`From then on, ${describeIdentity(label, who)} can sign in to your ${layout.site} account, <strong>${person}</strong>.`,
    body: html`<form method="post" action="/auth/account/confirm">
<input type="hidden" name="link" value="${linkId}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button primary">Connect</button>
</form>
<a class="button" href="/auth/account">Cancel</a>`,
  })
}
