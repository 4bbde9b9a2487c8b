import type { HttpRequest } from '@portico/http'
import type { AuthorizationUrlArgs } from '@portico/identity'
import { requestIdOf } from '../authorize/requests.ts'
import type { Context } from '../context.ts'
import { AuthorizationRequest } from '../tables/grants.portico.ts'

/** The parameters that are passed on to the provider. */
export type ProviderRequest = Pick<AuthorizationUrlArgs, 'prompt' | 'maxAge' | 'loginHint' | 'acrValues' | 'uiLocales'>

/** The prompts that our own pages can ask for: a fresh sign-in, or the choice of an account. */
export type PagePrompt = 'login' | 'select_account'

export function readPrompt(prompt: string | undefined): PagePrompt | undefined {
  return prompt === 'login' || prompt === 'select_account' ? prompt : undefined
}

/** The authorization request that a sign-in returns to, if it belongs to this browser. */
export async function findAuthorizationRequest(
  { db, now, cookies }: Context,
  request: HttpRequest,
  returnTo: string,
): Promise<AuthorizationRequest | undefined> {
  const id = requestIdOf(returnTo)
  const found = id === undefined ? undefined : await db.table(AuthorizationRequest).findById(id)
  return found && found.browserHash === cookies.browserHash(request) && found.expiresAt > now() ? found : undefined
}

/** The parameters for the provider: those of the client, and the prompt of our own page. */
export function providerRequestOf(
  asked: AuthorizationRequest | undefined,
  prompt: PagePrompt | undefined,
): ProviderRequest {
  const prompts = new Set([...split(asked?.prompt), ...split(prompt)])
  // OpenID Connect Core 2: with `max_age` the provider must report when it authenticated the person.
  const maxAge = prompts.has('login') ? 0 : asked?.maxAgeSec
  const acrValues = split(asked?.acrValues)
  const uiLocales = split(asked?.uiLocales)
  return {
    prompt: prompts.size > 0 ? [...prompts].join(' ') : undefined,
    maxAge,
    loginHint: asked?.loginHint,
    acrValues: acrValues.length > 0 ? acrValues : undefined,
    uiLocales: uiLocales.length > 0 ? uiLocales : undefined,
  }
}

function split(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((it) => it !== '')
}
