import { AuthorizeError, type AuthorizeErrorCode, authorize } from '@portico/login'
import type { LocalProvider } from './local-provider.ts'

const advice: Record<AuthorizeErrorCode, string> = {
  provider_denied: 'Run npm start again to sign in after all.',
  state_mismatch: 'Run npm start again, and use the address it prints.',
  exchange_failed: 'Run npm start again.',
  timeout: 'Run npm start again.',
  status_check_failed: 'Run npm start again.',
}

export interface SignInOptions {
  readonly provider: LocalProvider
  readonly openBrowser: boolean
  readonly signal: AbortSignal
}

/** Signs somebody in and says who it is, or why not. */
export async function signIn({ provider, openBrowser, signal }: SignInOptions): Promise<void> {
  try {
    const { accessToken } = await authorize({
      authorizeUrl: provider.authorizeUrl,
      tokenUrl: provider.tokenUrl,
      statusUrl: provider.userinfoUrl,
      clientId: provider.clientId,
      scope: ['openid', 'profile', 'email'],
      expectedIssuer: provider.issuer,
      openBrowser,
      onUrl: (url) =>
        console.log(
          `To sign in, open this address in your browser${openBrowser ? ' if it does not open by itself' : ''}:\n\n  ${url}\n`,
        ),
      signal,
    })
    console.log(`Signed in as ${await fetchName(provider, accessToken)}`)
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    if (signal.aborted) return
    console.error(`${error.message[0]?.toUpperCase()}${error.message.slice(1)}. ${advice[error.code]}`)
  }
}

async function fetchName(provider: LocalProvider, accessToken: string): Promise<string> {
  const response = await fetch(provider.userinfoUrl, { headers: { authorization: `Bearer ${accessToken}` } })
  const { name, email } = (await response.json()) as { name: string; email: string }
  return `${name} <${email}>`
}
