import type { Database } from '@portico/db'
import type { FederatedLoginService, OAuthProviderRegistry } from '@portico/identity'
import type { Audit } from './audit.ts'
import type { Settings } from './options.ts'
import type { Pages } from './pages/pages.ts'
import type { CheckRate } from './rate-limit.ts'
import type { AccessTokens } from './stores/access-tokens.ts'
import type { IdentityStore } from './stores/identity-store.ts'
import type { Sessions } from './stores/sessions.ts'
import type { SigningKeys } from './stores/signing-keys.ts'
import type { UserStore } from './stores/user-store.ts'
import type { Cookies } from './web/cookies.ts'
import type { Cors } from './web/cors.ts'
import type { Forms } from './web/forms.ts'

/** The parts of a server, as its routes use them. */
export interface Context {
  readonly db: Database
  readonly settings: Settings
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly audit: Audit
  readonly checkRate: CheckRate
  readonly cookies: Cookies
  readonly cors: Cors
  readonly forms: Forms
  readonly pages: Pages
  readonly registry: OAuthProviderRegistry
  readonly users: UserStore
  readonly identities: IdentityStore
  readonly logins: FederatedLoginService
  readonly sessions: Sessions
  readonly tokens: AccessTokens
  readonly keys: SigningKeys
}
