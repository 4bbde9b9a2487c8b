import type { HttpReply, HttpRequest } from '@portico/http'
import { OAuthError } from '@portico/identity'
import type { Context } from '../context.ts'
import { findAuthorizationRequest, providerRequestOf } from '../sign-in/provider-request.ts'
import { startSignIn } from '../sign-in/sign-ins.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'

/**
 * True if a provider may have refused the sign-in because of `prompt=select_account`. Some do not support it and answer
 * `invalid_request`, although OpenID Connect Core 3.1.2.1 says to ignore it; many do not list the values that they
 * support.
 */
export function isPromptRefused(error: unknown, { prompt }: SignIn): boolean {
  if (!(error instanceof OAuthError) || error.type !== 'PROVIDER_DENIED') return false
  return error.details['error'] === 'invalid_request' && (prompt ?? '').split(' ').includes('select_account')
}

/**
 * Sends the person to the provider again, once, asking for a fresh sign-in instead. People choose an account there as
 * well.
 */
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
