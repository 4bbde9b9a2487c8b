import type { HttpReply, HttpRequest } from '@portico/http'
import { OAuthError } from '@portico/identity'
import type { Context } from '../context.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'
import { findAuthorizationRequest, providerRequestOf } from './provider-request.ts'
import { startSignIn } from './sign-ins.ts'

/**
 * Whether a provider may have refused a sign-in because of `prompt=select_account`. Some do not know it, and answer
 * `invalid_request` where OpenID Connect Core 3.1.2.1 would have it ignored; many do not list what they know.
 */
export function isPromptRefused(error: unknown, { prompt }: SignIn): boolean {
  if (!(error instanceof OAuthError) || error.type !== 'PROVIDER_DENIED') return false
  return error.details['error'] === 'invalid_request' && (prompt ?? '').split(' ').includes('select_account')
}

/** Goes to the provider again, once: this time it is asked for a fresh sign-in, at which people choose an account too. */
export async function retrySignIn(context: Context, request: HttpRequest, signIn: SignIn): Promise<HttpReply> {
  const { provider, browserHash, returnTo, linkId, requestId, invitationId, connectTo } = signIn
  const others = (signIn.prompt ?? '').split(' ').filter((it) => it !== 'select_account')
  const providerRequest = providerRequestOf(
    await findAuthorizationRequest(context, request, returnTo),
    others.includes('login') ? 'login' : undefined,
  )
  const prompt = [...new Set([...others, 'login'])].join(' ')
  const again = { provider, browserHash, returnTo, linkId, requestId, invitationId, connectTo }
  return redirectTo(await startSignIn(context, { ...again, providerRequest: { ...providerRequest, prompt } }))
}
