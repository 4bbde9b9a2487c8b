import { AuthorizeError, type AuthorizeErrorCode, authorize } from '@portico/login'
import { type LocalProvider, startLocalProvider } from './local-provider.ts'

const usage = `Signs you in against an OpenID provider on your own machine and says who you are.

  npm start                     opens your browser
  npm start -- --no-browser     prints the address only, for SSH and containers
`

const advice: Record<AuthorizeErrorCode, string> = {
  provider_denied: 'Run npm start again to sign in after all.',
  state_mismatch: 'Run npm start again, and use the address it prints.',
  exchange_failed: 'Run npm start again.',
  timeout: 'Run npm start again.',
  status_check_failed: 'Run npm start again.',
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--no-browser' && arg !== '--help')
  if (unknown !== undefined) console.error(`Unknown option ${unknown}.\n`)
  if (unknown !== undefined || args.includes('--help')) {
    console.log(usage)
    return unknown === undefined ? 0 : 2
  }
  const provider = await startLocalProvider()
  console.log(`A local OpenID provider runs at ${provider.issuer}`)
  try {
    return await signIn(provider, !args.includes('--no-browser'))
  } finally {
    await provider.close()
  }
}

async function signIn(provider: LocalProvider, openBrowser: boolean): Promise<number> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
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
      signal: interrupted.signal,
    })
    console.log(`Signed in as ${await fetchName(provider, accessToken)}`)
    return 0
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    if (interrupted.signal.aborted) {
      console.error('Sign-in cancelled.')
      return 130
    }
    console.error(`${error.message[0]?.toUpperCase()}${error.message.slice(1)}. ${advice[error.code]}`)
    return 1
  }
}

async function fetchName(provider: LocalProvider, accessToken: string): Promise<string> {
  const response = await fetch(provider.userinfoUrl, { headers: { authorization: `Bearer ${accessToken}` } })
  const { name, email } = (await response.json()) as { name: string; email: string }
  return `${name} <${email}>`
}
