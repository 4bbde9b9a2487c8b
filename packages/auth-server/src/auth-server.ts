import type { Database } from '@portico/db'
import type { RouteGroup } from '@portico/http'
import { type Clock, FederatedLoginService, OAuthProviderRegistry } from '@portico/identity'
import type { AnyTable } from '@portico/schema/runtime'
import { type Access, listAccess, revokeAccess } from './access-list.ts'
import { IdentityStore } from './accounts/identity-store.ts'
import { UserStore } from './accounts/user-store.ts'
import { warnOfTrust } from './accounts/warn-of-trust.ts'
import { createAudit } from './audit.ts'
import { authorizeRoutes } from './authorize/authorize-route.ts'
import { invalidOption } from './check-options.ts'
import { connectRoutes } from './connect/connect-routes.ts'
import { consentRoutes } from './consent/consent-routes.ts'
import { type GrantedConsent, listConsents, revokeConsent } from './consent/remembered.ts'
import type { Context } from './context.ts'
import { type AuthGuards, type AuthSecuritySchemes, createGuards, describeSecurity } from './guards.ts'
import { invitationRoutes } from './invitation/invitation-routes.ts'
import { discoveryRoutes } from './keys/discovery-routes.ts'
import { SigningKeys } from './keys/signing-keys.ts'
import { linkRoutes } from './link/link-routes.ts'
import { type AuthServerOptions, readOptions, type Settings } from './options.ts'
import { Pages } from './pages/pages.ts'
import { createRateLimit } from './rate-limit.ts'
import { deriveKey } from './secrets.ts'
import { logoutRoutes } from './session/logout-routes.ts'
import { Sessions } from './session/sessions.ts'
import { callbackRoutes } from './sign-in/callback-routes.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { sweep, sweepWhileServing } from './sweep.ts'
import { Identity, Invitation, User } from './tables/accounts.portico.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest, Consent } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'
import { AccessTokens, type VerifiedToken } from './token/access-tokens.ts'
import { revokeRoutes } from './token/revoke-route.ts'
import { statusRoute } from './token/status-route.ts'
import { tokenRoutes } from './token/token-route.ts'
import { userinfoRoutes } from './token/userinfo-routes.ts'
import { Cookies } from './web/cookies.ts'
import { Cors } from './web/cors.ts'
import { Forms } from './web/forms.ts'

/** An authorization server: routes for an app, guards for its own routes, and what a program does with users. */
export interface AuthServer {
  /** For `app.register(server.routes)`. */
  readonly routes: RouteGroup
  /** For the application's own routes. */
  readonly guards: AuthGuards
  /** For the option `securitySchemes` of `SpecController`: what the guards ask for. */
  readonly securitySchemes: AuthSecuritySchemes
  readonly users: UserStore
  readonly identities: IdentityStore
  /** What an access token stands for; `undefined` when it does not hold, whatever the reason. */
  verifyToken(token: string): Promise<VerifiedToken | undefined>
  /** Where a user is signed in: browsers and programs, newest first. */
  listAccess(userId: string): Promise<Access[]>
  /** Ends one of the user's own sessions or tokens, at once; whether there was one. */
  revokeAccess(userId: string, id: string): Promise<boolean>
  /** What a user has granted registered clients, newest first. */
  listConsents(userId: string): Promise<GrantedConsent[]>
  /** Takes back what the user has granted a client: its tokens end at once, and it has to ask again; whether there was something. */
  revokeConsent(userId: string, clientId: string): Promise<boolean>
  /**
   * Deletes what has expired, at most 20,000 rows of each table, and returns how many. An app that has the routes does it
   * by itself, every `sweepEverySec`; any number of instances may do it at once.
   */
  sweep(): Promise<number>
}

/** The tables that the server keeps everything in, for `db.sync(authTables)`. */
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
 * Makes an authorization server on a database. Any number of them, in as many processes, serve together on one.
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
        warnOfTrust(context, host)
        sweepWhileServing(context, host)
        // Where they cannot be read yet, the first question reads them.
        host.onReady(() => void context.keys.load().catch(() => {}))
      },
    },
    guards: createGuards(context),
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
      settings.name,
      registry.ids().map((id) => ({ id, label: settings.labelOf(id) })),
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

/** The registry has checks of its own; what it refuses is a wrong option here like any other. */
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
