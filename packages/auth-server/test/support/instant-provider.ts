import type { IdentityProvider } from '@portico/identity'

/** A provider that sends everybody straight back, as Ada, to the server at `url`. */
export function instantProvider(url: string): IdentityProvider {
  const profile = { provider: 'work', subject: 'ada', email: 'ada@x.example', displayName: 'Ada Lovelace', raw: {} }
  return {
    id: 'work',
    authorizationUrl: async ({ redirectUri, state }) =>
      `${redirectUri.replace(/^.*?:\d+/, url)}?${new URLSearchParams({ code: 'x', state })}`,
    exchange: async () => profile,
  }
}
