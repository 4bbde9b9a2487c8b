import type { HttpRequest } from '@portico/http'
import type { AuthorizationUrlArgs } from '@portico/identity'
import { requestIdOf } from '../authorize/requests.ts'
import type { Context } from '../context.ts'
import { AuthorizationRequest } from '../tables/grants.portico.ts'

/** What goes on to the provider beside the sign-in itself. */
export type ProviderRequest = Pick<AuthorizationUrlArgs, 'prompt' | 'maxAge' | 'loginHint' | 'acrValues' | 'uiLocales'>

/** What a page of ours may ask for: a fresh sign-in, or the choice of an account. */
export type PagePrompt = 'login' | 'select_account'

export function readPrompt(prompt: string | undefined): PagePrompt | undefined {
  return prompt === 'login' || prompt === 'select_account' ? prompt : undefined
}

/** The authorization request that a sign-in leads back to, where it is one of this browser. */
export async function findAuthorizationRequest(
  { db, now, cookies }: Context,
  request: HttpRequest,
  returnTo: string,
): Promise<AuthorizationRequest | undefined> {
  const id = requestIdOf(returnTo)
  const found = id === undefined ? undefined : await db.table(AuthorizationRequest).findById(id)
  return found && found.browserHash === cookies.browserHash(request) && found.expiresAt > now() ? found : undefined
}

/** What the provider is asked for: what the client wants, and what the page of ours that led there does. */
export function providerRequestOf(
  asked: AuthorizationRequest | undefined,
  prompt: PagePrompt | undefined,
): ProviderRequest {
  const prompts = new Set([...split(asked?.prompt), ...split(prompt)])
  // OpenID Connect Core 2: with `max_age` the provider has to say when it authenticated the person.
  const maxAge = prompts.has('login') ? 0 : asked?.maxAgeSec
  const acrValues = split(asked?.acrValues)
  const uiLocales = split(asked?.uiLocales)
  return {
    ...(prompts.size > 0 && { prompt: [...prompts].join(' ') }),
    ...(maxAge !== undefined && { maxAge }),
    ...(asked?.loginHint !== undefined && { loginHint: asked.loginHint }),
    ...(acrValues.length > 0 && { acrValues }),
    ...(uiLocales.length > 0 && { uiLocales }),
  }
}

function split(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((it) => it !== '')
}
