import type { RegisteredClient } from '@portico/auth-server'
import type { AnyDecorator, RouteGroup } from '@portico/http'
import { getSpecMate, SpecSecurity, SpecTag, specController } from '@portico/spec'
import { brand } from './brand.ts'

const docsClientId = 'api-docs'

/** The scopes of a token, with the text of the consent page. */
export const scopes: { readonly tasks: string } = { tasks: 'See and change projects, tasks and tags' }

/** The docs page signs in as a public client. */
export function docsClient(address: string): RegisteredClient {
  const redirectUris = [`${address}/api-docs/assets/oauth2-redirect.html`]
  return { id: docsClientId, name: 'API docs', redirectUris, allowedScopes: Object.keys(scopes) }
}

/** A tag, and the two ways to authenticate on the docs page: sign in, or paste a token. */
export function forCallers(tag: string): AnyDecorator {
  return getSpecMate().apply(SpecTag(tag), SpecSecurity('oauth', Object.keys(scopes)), SpecSecurity('bearer'))
}

export function describeApi(address: string): RouteGroup {
  return specController({
    title: 'Task tracker',
    version: '1.0.0',
    description: 'Projects, their tasks, tags on them, and your own stars. Sign in with **Authorize**.',
    tags: [
      { name: 'board', description: 'The projects at a glance.' },
      { name: 'projects', description: 'Each task belongs to one.' },
      { name: 'tasks', description: 'Tasks of the projects.' },
      { name: 'tags', description: 'Labels for tasks.' },
      { name: 'stars', description: 'Tasks that you want to find again. Only you see your stars.' },
      { name: 'Authorization', description: 'How programs get and revoke tokens.' },
    ],
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: `${address}/auth/authorize`,
            tokenUrl: `${address}/auth/token`,
            scopes,
          },
        },
      },
      bearer: { type: 'http', scheme: 'bearer', description: 'The token that `npx portico whoami --token` prints.' },
    },
    ui: {
      oauth: { clientId: docsClientId, scopes: Object.keys(scopes) },
      home: { label: 'Task tracker', href: '/', logo: brand.logo },
      light: {
        accent: '#2952cc',
        page: '#f6f7f9',
        panel: '#ffffff',
        line: '#d5dae3',
        ink: '#1a2130',
        quiet: '#566073',
      },
      dark: { accent: '#8fadff', page: '#0f131a', panel: '#181e28', line: '#3a4558', ink: '#eef1f6', quiet: '#a5afc0' },
    },
  })
}
