import type { HttpReply } from '@portico/http'
import { html, type Markup } from '../shared/html.ts'
import { appendParams } from '../web/params.ts'
import {
  type AccountPage,
  accountPage,
  type ConnectionPage,
  connectionPage,
  describeIdentity,
} from './account-pages.ts'
import { outline } from './icons.ts'
import { initialOf, type Layout } from './layout.ts'
import { type PageProblem, problems } from './problems.ts'
import type { ProviderView } from './provider-view.ts'

export interface ConsentPage {
  readonly client: { readonly name: string } | undefined
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly person: string
  /** The provider that the person signed in with; `undefined` if it is no longer configured. */
  readonly provider: ProviderView | undefined
  readonly requestId: string
  readonly formToken: string
  readonly here: string
}

export interface ProblemDetails {
  readonly again?: string | undefined
  readonly againLabel?: string | undefined
  readonly text?: string | undefined
}

export interface LinkPage {
  readonly linkId: string
  readonly provider: ProviderView
  /** The name and address of the person at the provider. */
  readonly who: string
  readonly formToken?: string | undefined
}

/** The pages that people see. All data is escaped, and no page needs a script. */
export class Pages {
  readonly #layout: Layout
  readonly #providers: readonly ProviderView[]

  constructor(layout: Layout, providers: readonly ProviderView[]) {
    this.#layout = layout
    this.#providers = providers
  }

  signIn(returnTo: string, prompt?: string): HttpReply {
    return this.#layout.answer({
      title: `Sign in to ${this.#layout.site}`,
      lead: html`Choose how to continue.`,
      body: this.#listWays({ return_to: returnTo, prompt }),
    })
  }

  consent(page: ConsentPage): HttpReply {
    const { client, redirectUri, scopes, person, provider, requestId, formToken, here } = page
    const { site } = this.#layout
    const place = placeOf(redirectUri)
    return this.#layout.answer({
      title: client ? `Sign in to ${client.name}` : 'Let a program use your account?',
      pairWith: client ? html`${initialOf(client.name)}` : outline('terminal'),
      lead: client
        ? html`<strong>${client.name}</strong> wants to use your ${site} account. You will return to <strong>${place}</strong>.`
        : html`A program at <strong>${place}</strong> wants to use your ${site} account.`,
      leadsOut: true,
      body: html`${
        scopes.length > 0
          ? html`<h2 id="scopes">It will be able to</h2>
<ul class="list scopes" aria-labelledby="scopes">${scopes.map((text) => html`<li>${outline('check')}<span>${text}</span></li>`)}</ul>`
          : html`<p class="note">It will only learn who you are.</p>`
      }
${!client && html`<p class="note">Continue only if you have just started this sign-in yourself, for example from your terminal.</p>`}
<form method="post" action="/auth/consent">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="form_token" value="${formToken}">
<div class="choice">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="who">Signed in as <strong>${person}</strong>${provider && html` with <span class="by">${provider.icon}${provider.label}</span>`}<br><a href="${appendParams('/auth/sign-in', { return_to: here, prompt: 'select_account' })}">Use another account</a></p>`,
    })
  }

  /**
   * Reveals nothing about the account except that it exists, since it is not proved yet whose it is. The identity to
   * connect is shown by name, so that nobody connects somebody else’s. With a form token, the person may create a
   * separate account.
   */
  link({ linkId, provider, who, formToken }: LinkPage): HttpReply {
    const { label, icon } = provider
    return this.#layout.answer({
      title: 'Is this your account?',
      pairWith: icon,
      lead: html`An account with the e-mail address from ${label} already exists. Sign in to it the way you did before, and ${describeIdentity(label, who)} will be connected to it.`,
      leadsOut: formToken !== undefined,
      body: html`${this.#listWays({ link: linkId })}
${
  formToken !== undefined &&
  html`<p class="note">Not your account? ${label} has verified that the address is yours, so you can create an account of your own. The two stay separate.</p>
<form method="post" action="/auth/link">
<input type="hidden" name="link" value="${linkId}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button">Create a separate account</button>
</form>`
}`,
    })
  }

  invitation(token: string, email: string): HttpReply {
    return this.#layout.answer({
      title: `You are invited to ${this.#layout.site}`,
      lead: html`Your account for <strong>${email}</strong> is ready. Choose how you want to sign in from now on.`,
      body: html`${this.#listWays({ invitation: token })}
<p class="who">Already have an account here? <a href="/auth/sign-in">Sign in to it</a></p>`,
    })
  }

  account(page: AccountPage): HttpReply {
    return accountPage(this.#layout, page)
  }

  confirmConnection(page: ConnectionPage): HttpReply {
    return connectionPage(this.#layout, page)
  }

  signOut(person: string, returnTo: string): HttpReply {
    return this.#layout.answer({
      title: `Sign out of ${this.#layout.site}?`,
      lead: html`You are signed in as <strong>${person}</strong>.`,
      body: html`<form method="post" action="/auth/logout">
<input type="hidden" name="return_to" value="${returnTo}">
<button class="button primary">Sign out</button>
</form>
<a class="button" href="/">Stay signed in</a>`,
    })
  }

  signedOut(): HttpReply {
    return this.#layout.answer({
      title: 'You are signed out',
      mark: 'good',
      lead: html`This browser no longer has access to your ${this.#layout.site} account.`,
      body: html`<a class="button" href="/auth/sign-in">Sign in again</a>`,
    })
  }

  problem(problem: PageProblem, { again, againLabel = 'Try again', text }: ProblemDetails = {}): HttpReply {
    const { title, text: usual, status, mark = 'bad' } = problems[problem]
    return this.#layout.answer({
      title,
      mark,
      lead: html`${text ?? usual}`,
      status,
      body: again === undefined ? undefined : html`<a class="button primary" href="${again}">${againLabel}</a>`,
    })
  }

  #listWays(params: Readonly<Record<string, string | undefined>>): Markup {
    const addressOf = (id: string): string => appendParams(`/auth/oauth/${encodeURIComponent(id)}/start`, params)
    return html`<ul class="ways">${this.#providers.map(
      ({ id, label, icon }) =>
        html`<li><a class="button" href="${addressOf(id)}">${icon}<span>Continue with ${label}</span></a></li>`,
    )}</ul>`
  }
}

/** The destination of an address as people see it: its host, or its scheme if that is private to an application. */
function placeOf(address: string): string {
  const { host, protocol } = new URL(address)
  return host === '' ? protocol.slice(0, -1) : host
}
