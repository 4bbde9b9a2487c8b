import type { HttpReply } from '@portico/http'
import { appendParams } from '../web/params.ts'
import { type AccountPage, accountPage, type ConnectionPage, connected, connectionPage } from './account-pages.ts'
import { type Html, html } from './html.ts'
import { answerPage } from './layout.ts'
import { type PageProblem, problems } from './problems.ts'

export interface Way {
  readonly id: string
  readonly label: string
}

export interface ConsentPage {
  readonly client: { readonly name: string } | undefined
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly person: string
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
  readonly label: string
  /** The name and address of the person at the provider. */
  readonly who: string
  readonly formToken?: string | undefined
}

/** The pages that people see. All data is escaped, and no page needs a script. */
export class Pages {
  readonly #site: string
  readonly #ways: readonly Way[]

  constructor(site: string, ways: readonly Way[]) {
    this.#site = site
    this.#ways = ways
  }

  signIn(returnTo: string, prompt?: string): HttpReply {
    return answerPage({
      title: `Sign in to ${this.#site}`,
      site: this.#site,
      mark: 'person',
      lead: html`Choose how to continue.`,
      body: this.#listWays({ return_to: returnTo, prompt }),
    })
  }

  consent(page: ConsentPage): HttpReply {
    const { client, redirectUri, scopes, person, requestId, formToken, here } = page
    const place = placeOf(redirectUri)
    return answerPage({
      title: client ? `Sign in to ${client.name}` : 'Let a program use your account?',
      site: this.#site,
      mark: 'question',
      lead: client
        ? html`<strong>${client.name}</strong> wants to use your ${this.#site} account. You will go back to <strong>${place}</strong>.`
        : html`A program at <strong>${place}</strong> wants to use your ${this.#site} account.`,
      leadsOut: true,
      body: html`${
        scopes.length > 0
          ? html`<h2 id="scopes">It will be able to</h2>
<ul class="scopes" aria-labelledby="scopes">${scopes.map((text) => html`<li>${text}</li>`)}</ul>`
          : html`<p class="note">It will only learn who you are.</p>`
      }
${!client && html`<p class="note">Continue only if you have just started this sign-in yourself, such as from your terminal.</p>`}
<form method="post" action="/auth/consent">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="form_token" value="${formToken}">
<div class="choice">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="who">Signed in as <strong>${person}</strong>. <a href="${appendParams('/auth/sign-in', { return_to: here, prompt: 'select_account' })}">Use another account</a></p>`,
    })
  }

  /**
   * Reveals nothing about the account except that it exists, since it is not proved yet whose it is. The identity to
   * connect is shown by name, so that nobody connects somebody else’s. With a form token, the person may create a
   * separate account.
   */
  link({ linkId, label, who, formToken }: LinkPage): HttpReply {
    return answerPage({
      title: 'Is this your account?',
      site: this.#site,
      mark: 'link',
      lead: html`An account with the e-mail address that ${label} gave us exists already. Sign in to it the way you did before, and ${connected(label, who)} will be connected to it.`,
      leadsOut: formToken !== undefined,
      body: html`${this.#listWays({ link: linkId })}
${
  formToken !== undefined &&
  html`<p class="note">Somebody else’s? ${label} confirms that the address is yours, so you can have an account of your own. The two stay apart.</p>
<form method="post" action="/auth/link">
<input type="hidden" name="link" value="${linkId}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="button">Open an account of my own</button>
</form>`
}`,
    })
  }

  invitation(token: string, email: string): HttpReply {
    return answerPage({
      title: `You are invited to ${this.#site}`,
      site: this.#site,
      mark: 'person',
      lead: html`An account waits for <strong>${email}</strong>. Choose how you want to sign in to it from now on.`,
      body: html`${this.#listWays({ invitation: token })}
<p class="who">Do you have an account here already? <a href="/auth/sign-in">Sign in to it</a></p>`,
    })
  }

  account(page: AccountPage): HttpReply {
    return accountPage(this.#site, page)
  }

  confirmConnection(page: ConnectionPage): HttpReply {
    return connectionPage(this.#site, page)
  }

  signOut(person: string, returnTo: string): HttpReply {
    return answerPage({
      title: `Sign out of ${this.#site}?`,
      site: this.#site,
      mark: 'person',
      lead: html`You are signed in as <strong>${person}</strong>.`,
      body: html`<form method="post" action="/auth/logout">
<input type="hidden" name="return_to" value="${returnTo}">
<button class="button primary">Sign out</button>
</form>
<a class="button" href="/">Stay signed in</a>`,
    })
  }

  signedOut(): HttpReply {
    return answerPage({
      title: 'You are signed out',
      site: this.#site,
      mark: 'good',
      lead: html`This browser no longer has access to your ${this.#site} account.`,
      body: html`<a class="button" href="/auth/sign-in">Sign in again</a>`,
    })
  }

  problem(problem: PageProblem, { again, againLabel = 'Try again', text }: ProblemDetails = {}): HttpReply {
    const { title, text: usual, status, mark } = problems[problem]
    return answerPage({
      title,
      site: this.#site,
      mark: mark ?? 'bad',
      lead: html`${text ?? usual}`,
      status,
      body: again === undefined ? undefined : html`<a class="button primary" href="${again}">${againLabel}</a>`,
    })
  }

  #listWays(params: Readonly<Record<string, string | undefined>>): Html {
    const addressOf = (id: string): string => appendParams(`/auth/oauth/${encodeURIComponent(id)}/start`, params)
    return html`<ul>${this.#ways.map(
      ({ id, label }) => html`<li><a class="button" href="${addressOf(id)}">Continue with ${label}</a></li>`,
    )}</ul>`
  }
}

/** The destination of an address as people see it: its host, or its scheme if that is private to an application. */
function placeOf(address: string): string {
  const { host, protocol } = new URL(address)
  return host === '' ? protocol.slice(0, -1) : host
}
