import type { Database } from '@portico/db'
import type { HttpRequest, RouteGroup } from '@portico/http'
import { type Clock, FederatedLoginService, OAuthProviderRegistry } from '@portico/identity'
import type { AnyTable } from '@portico/schema/runtime'
import { type Access, listAccess, revokeAccess } from './access-list.ts'
import { warnUnverifiedEmails } from './accounts/warn-unverified-emails.ts'
import { createAudit } from './audit.ts'
import { authorizeRoutes } from './authorize/authorize-route.ts'
import { callbackRoutes } from './callback/callback-routes.ts'
import { invalidOption } from './check-options.ts'
import { connectRoutes } from './connect/connect-routes.ts'
import { consentRoutes } from './consent/consent-routes.ts'
import { type GrantedConsent, listConsents, revokeConsent } from './consent/consents.ts'
import type { Context } from './context.ts'
import { discoveryRoutes } from './discovery/discovery-routes.ts'
import { type AuthGuards, type AuthSecuritySchemes, createGuards, describeSecurity, requireUserId } from './guards.ts'
import { invitationRoutes } from './invitation/invitation-routes.ts'
import { linkRoutes } from './link/link-routes.ts'
import { type AuthServerOptions, readOptions, type Settings } from './options.ts'
import { Layout } from './pages/layout.ts'
import { Pages } from './pages/pages.ts'
import { viewProvider } from './pages/provider-view.ts'
import { createRateLimit } from './rate-limit.ts'
import { deriveKey } from './secrets.ts'
import { logoutRoutes } from './session/logout-routes.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { AccessTokens, type VerifiedToken } from './stores/access-tokens.ts'
import { IdentityStore } from './stores/identity-store.ts'
import { Sessions } from './stores/sessions.ts'
import { SigningKeys } from './stores/signing-keys.ts'
import { UserStore } from './stores/user-store.ts'
import { sweep, sweepWhileServing } from './sweep.ts'
import { Identity, Invitation, User } from './tables/accounts.portico.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest, Consent } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'
import { revokeRoutes } from './token/revoke-route.ts'
import { statusRoute } from './token/status-route.ts'
import { tokenRoutes } from './token/token-route.ts'
import { userinfoRoutes } from './token/userinfo-routes.ts'
import { Cookies } from './web/cookies.ts'
import { Cors } from './web/cors.ts'
import { Forms } from './web/forms.ts'

/** An authorization server: its routes, guards for your own routes, and the management of users. */
export interface AuthServer {
  /** For `app.register(server.routes)`. */
  readonly routes: RouteGroup
  /** For your application's own routes. */
  readonly guards: AuthGuards
  /**
   * The id of the user whom the guards of the route accepted, by session or token. Without one it throws the 401 of the
   * guards, `UNAUTHENTICATED`. `guards.principal` has the rest: the scopes, the roles, the client.
   */
  readonly userId: (request: HttpRequest) => string
  /** For the option `securitySchemes` of `specController`: the schemes that the guards refer to. */
  readonly securitySchemes: AuthSecuritySchemes
  readonly users: UserStore
  readonly identities: IdentityStore
  /** The user, client and scopes of an access token; `undefined` if it is not valid, for whatever reason. */
  verifyToken(token: string): Promise<VerifiedToken | undefined>
  /** The sessions and tokens of a user, newest first. */
  listAccess(userId: string): Promise<Access[]>
  /** Ends one session or token of the user, immediately. Returns false if there is no such session or token. */
  revokeAccess(userId: string, id: string): Promise<boolean>
  /** The consents that a user has given to registered clients, newest first. */
  listConsents(userId: string): Promise<GrantedConsent[]>
  /**
   * Withdraws the consent given to a client: its tokens end immediately, and it has to ask again. Returns false if
   * there was no consent.
   */
  revokeConsent(userId: string, clientId: string): Promise<boolean>
  /**
   * Deletes expired rows, at most 20,000 per table, and returns how many. An app with the routes does this by itself,
   * every `sweepEverySec`; any number of instances may do it at once.
   */
  sweep(): Promise<number>
}

/** The tables of the server, for `db.sync(authTables)`. */
export const authTables: readonly AnyTable[] = [
  User,
  Identity,
  Invitation,
  AuthorizationRequest,
  Consent,
  AuthorizationCode,
  AccessToken,
  Session,
  SignIn,
  FormPost,
  PendingLink,
  SigningKey,
  AuditEvent,
  RateLimit,
]

/**
 * Creates an authorization server on a database. Any number of instances can share one database.
 *
 * ```ts
 * await db.sync(authTables)
 * const server = createAuthServer({ db, baseUrl: 'https://app.example', secret, providers: [alpha] })
 * const app = createApp().register(server.routes)
 * ```
 */
export function createAuthServer(options: AuthServerOptions): AuthServer {
  const settings = readOptions(options)
  const context = createContext(options.db, settings, options)
  const guards = createGuards(context)
  return {
    routes: {
      kind: 'routes',
      name: 'auth',
      routes: [
        ...authorizeRoutes(context),
        ...consentRoutes(context),
        ...signInRoutes(context),
        ...callbackRoutes(context),
        ...linkRoutes(context),
        ...connectRoutes(context),
        ...invitationRoutes(context),
        ...logoutRoutes(context),
        ...tokenRoutes(context),
        ...revokeRoutes(context),
        statusRoute(context),
        ...userinfoRoutes(context),
        ...discoveryRoutes(context),
      ],
      onRegister(host) {
        warnUnverifiedEmails(context, host)
        sweepWhileServing(context, host)
        // If the keys cannot be read yet, the first request reads them.
        host.onReady(() => void context.keys.load().catch(() => {}))
      },
    },
    guards,
    userId: (request) => requireUserId(context, guards, request),
    securitySchemes: describeSecurity(context),
    users: context.users,
    identities: context.identities,
    verifyToken: (token) => context.tokens.verify(token),
    listAccess: (userId) => listAccess(context, userId),
    revokeAccess: (userId, id) => revokeAccess(context, userId, id),
    listConsents: (userId) => listConsents(context, userId),
    revokeConsent: (userId, clientId) => revokeConsent(context, userId, clientId),
    sweep: () => sweep(context),
  }
}

function createContext(db: Database, settings: Settings, options: AuthServerOptions): Context {
  const clock = options.clock ?? { now: () => Date.now() }
  const now = (): number => clock.now()
  const audit = createAudit(db, settings, now)
  const cookies = new Cookies(settings.origin)
  const users = new UserStore(db, now, audit, settings.origin)
  const identities = new IdentityStore(db, now)
  const registry = createRegistry(settings, options, clock)
  return {
    db,
    settings,
    now,
    audit,
    checkRate: createRateLimit(db, settings, audit, now),
    cookies,
    cors: new Cors(settings),
    forms: new Forms(deriveKey(settings.secret, 'forms'), settings.origin),
    pages: new Pages(
      new Layout(settings.brand, Object.values(settings.providerIcons)),
      registry.ids().map((id) => viewProvider(settings, id)),
    ),
    registry,
    users,
    identities,
    logins: new FederatedLoginService({ users, federated: identities, policy: registry.policy }),
    sessions: new Sessions({ db, users, settings, cookies, now }),
    tokens: new AccessTokens({ db, users, settings, now }),
    keys: new SigningKeys(db, settings, now),
  }
}

/** The registry checks providers and policy itself. Its refusal is a wrong option like any other. */
function createRegistry(settings: Settings, options: AuthServerOptions, clock: Clock): OAuthProviderRegistry {
  try {
    return new OAuthProviderRegistry({
      baseUrl: settings.origin,
      stateSecret: Buffer.from(deriveKey(settings.secret, 'states')).toString('base64url'),
      providers: [...options.providers],
      policy: options.policy,
      clock,
      fetch: options.fetch,
    })
  } catch (error) {
    throw invalidOption((error as Error).message, { cause: error })
  }
}
