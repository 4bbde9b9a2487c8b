// Compiled with the tests, so that a change to a public type fails.
import {
  type AccountChange,
  ALPHA_ISSUER,
  AlphaProvider,
  type AlphaProviderOptions,
  type AuthorizationUrlArgs,
  BETA_ENDPOINTS,
  BetaProvider,
  type BetaProviderOptions,
  type CallbackParams,
  type CallbackResult,
  type ClientAuth,
  type ClientKey,
  type Clock,
  type ConfigurableProvider,
  createPkcePair,
  defaultUsernameStrategy,
  type ExchangeArgs,
  FakeIdentityProvider,
  type FakeIdentityProviderOptions,
  type FederatedIdentity,
  type FederatedIdentitySnapshot,
  type FederatedIdentityStore,
  FederatedLoginService,
  type FederatedLoginServiceDeps,
  type FederatedPolicy,
  type FetchLike,
  type FetchResponseLike,
  GAMMA_ISSUER,
  GammaProvider,
  type GammaProviderOptions,
  generateNonce,
  generateRandomState,
  IdentityConflictError,
  type IdentityProvider,
  isConfigurableProvider,
  type KeyResolver,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NewFederatedIdentity,
  type NormalizedProfile,
  OAuthError,
  type OAuthErrorType,
  OAuthProviderRegistry,
  type OAuthProviderRegistryOptions,
  type OAuthStatePayload,
  type OidcDiscoveryDocument,
  OidcProvider,
  type OidcProviderOptions,
  type PkcePair,
  pkceChallengeFor,
  type ResolvedFederatedPolicy,
  type ResolveOutcome,
  readCallback,
  resolveFederatedPolicy,
  type SharedProviderConfig,
  type SignStateOptions,
  safeRedirect,
  signState,
  USER_AGENT,
  UserConflictError,
  type UserExtras,
  type UserProfileChanges,
  type UserRecord,
  type UserService,
  type VerifyStateOptions,
  verifyState,
} from '@portico/identity'
import { createLocalJWKSet, createRemoteJWKSet } from 'jose'
import { expectTypeOf } from 'vitest'

// Profiles and the contract of a provider.

expectTypeOf<NormalizedProfile>().toEqualTypeOf<{
  provider: string
  subject: string
  email?: string | undefined
  emailVerified?: boolean | undefined
  displayName?: string | undefined
  avatarUrl?: string | undefined
  authTime?: number | undefined
  acr?: string | undefined
  amr?: string[] | undefined
  raw: unknown
}>()
expectTypeOf<AuthorizationUrlArgs>().toEqualTypeOf<
  Readonly<{
    redirectUri: string
    state: string
    codeChallenge: string
    nonce?: string | undefined
    scopes?: string[] | undefined
    prompt?: string | undefined
    maxAge?: number | undefined
    loginHint?: string | undefined
    acrValues?: string[] | undefined
    uiLocales?: string[] | undefined
  }>
>()
expectTypeOf<ExchangeArgs>().toEqualTypeOf<
  Readonly<{
    code: string
    redirectUri: string
    codeVerifier: string
    expectedNonce?: string | undefined
    maxAge?: number | undefined
  }>
>()
expectTypeOf<IdentityProvider>().toEqualTypeOf<{
  readonly id: string
  authorizationUrl(args: AuthorizationUrlArgs): Promise<string>
  exchange(args: ExchangeArgs): Promise<NormalizedProfile>
  checkCallback?(params: CallbackParams): Promise<void>
}>()
expectTypeOf<ConfigurableProvider>().toExtend<IdentityProvider>()
expectTypeOf<ConfigurableProvider['applyDefaults']>().toEqualTypeOf<(shared: SharedProviderConfig) => void>()
expectTypeOf(isConfigurableProvider).guards.toEqualTypeOf<ConfigurableProvider>()
expectTypeOf<SharedProviderConfig>().toEqualTypeOf<
  Readonly<{
    clockToleranceSec?: number | undefined
    jwks?: { readonly cacheTtlMs?: number | undefined; readonly refreshOnUnknownKid?: boolean | undefined } | undefined
    clock?: Clock | undefined
    fetch?: FetchLike | undefined
  }>
>()

// Options of the providers.

expectTypeOf<OidcProviderOptions>().toEqualTypeOf<
  Readonly<{
    issuer: string
    clientId: string
    clientSecret?: string | undefined
    clientAuth?: ClientAuth | undefined
    clientKey?: ClientKey | undefined
    id?: string | undefined
    scopes?: string[] | undefined
    idTokenSigningAlgs?: string[] | undefined
    authorizationEndpoint?: string | undefined
    tokenEndpoint?: string | undefined
    jwksUri?: string | undefined
    discovery?: OidcDiscoveryDocument | undefined
    jwks?: KeyResolver | undefined
    clockToleranceSec?: number | undefined
    jwksCacheTtlMs?: number | undefined
    clock?: Clock | undefined
    fetch?: FetchLike | undefined
  }>
>()
expectTypeOf<AlphaProviderOptions>().toEqualTypeOf<Omit<OidcProviderOptions, 'id' | 'issuer'>>()
expectTypeOf<BetaProviderOptions>().toEqualTypeOf<
  Readonly<{
    clientId: string
    clientSecret: string
    id?: string | undefined
    scopes?: string[] | undefined
    userAgent?: string | undefined
    authorizationEndpoint?: string | undefined
    tokenEndpoint?: string | undefined
    userEndpoint?: string | undefined
    emailsEndpoint?: string | undefined
    fetch?: FetchLike | undefined
  }>
>()
expectTypeOf<GammaProviderOptions>().toEqualTypeOf<
  Readonly<{
    clientId: string
    teamId: string
    keyId: string
    privateKey: string
    scopes?: string[] | undefined
    clientSecretTtlSec?: number | undefined
    authorizationEndpoint?: string | undefined
    tokenEndpoint?: string | undefined
    jwksUri?: string | undefined
    discovery?: OidcDiscoveryDocument | undefined
    jwks?: KeyResolver | undefined
    clockToleranceSec?: number | undefined
    jwksCacheTtlMs?: number | undefined
    clock?: Clock | undefined
    fetch?: FetchLike | undefined
  }>
>()
expectTypeOf<FakeIdentityProviderOptions>().toEqualTypeOf<
  Readonly<{
    id?: string | undefined
    authorizationEndpoint?: string | undefined
    defaultProfile?: Omit<NormalizedProfile, 'provider'> | undefined
  }>
>()
expectTypeOf<OidcDiscoveryDocument>().toEqualTypeOf<{
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  userinfo_endpoint?: string | undefined
  token_endpoint_auth_methods_supported?: string[] | undefined
  prompt_values_supported?: string[] | undefined
  authorization_response_iss_parameter_supported?: boolean | undefined
}>()

// Injected dependencies.

expectTypeOf<Clock>().toEqualTypeOf<{ now(): number }>()
expectTypeOf<FetchResponseLike>().toEqualTypeOf<{
  ok: boolean
  status: number
  json(): Promise<unknown>
  text(): Promise<string>
}>()
expectTypeOf<FetchLike>().toEqualTypeOf<
  (
    url: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ) => Promise<FetchResponseLike>
>()
expectTypeOf<typeof globalThis.fetch>().toExtend<FetchLike>()
expectTypeOf<DateConstructor>().toExtend<Clock>()
expectTypeOf<ReturnType<typeof createLocalJWKSet>>().toExtend<KeyResolver>()
expectTypeOf<ReturnType<typeof createRemoteJWKSet>>().toExtend<KeyResolver>()
expectTypeOf<() => Uint8Array>().not.toExtend<KeyResolver>()

// Classes.

expectTypeOf<typeof OidcProvider>().constructorParameters.toEqualTypeOf<[options: OidcProviderOptions]>()
expectTypeOf<typeof AlphaProvider>().constructorParameters.toEqualTypeOf<[options: AlphaProviderOptions]>()
expectTypeOf<typeof BetaProvider>().constructorParameters.toEqualTypeOf<[options: BetaProviderOptions]>()
expectTypeOf<typeof GammaProvider>().constructorParameters.toEqualTypeOf<[options: GammaProviderOptions]>()
expectTypeOf<typeof FakeIdentityProvider>().constructorParameters.toEqualTypeOf<
  [options?: FakeIdentityProviderOptions | undefined]
>()
expectTypeOf<OidcProvider | AlphaProvider | BetaProvider | GammaProvider>().toExtend<ConfigurableProvider>()
expectTypeOf<AlphaProvider | GammaProvider>().toExtend<OidcProvider>()
expectTypeOf<FakeIdentityProvider>().toExtend<IdentityProvider>()
expectTypeOf<FakeIdentityProvider['setProfile']>().toBeCallableWith('code', { subject: 's', raw: {} })
expectTypeOf(
  new FakeIdentityProvider().setProfile('code', { subject: 's', raw: {} }),
).toEqualTypeOf<FakeIdentityProvider>()
expectTypeOf(ALPHA_ISSUER).toExtend<string>()
expectTypeOf(GAMMA_ISSUER).toExtend<string>()
expectTypeOf(USER_AGENT).toExtend<string>()
expectTypeOf(BETA_ENDPOINTS).toExtend<Partial<BetaProviderOptions>>()

// The registry.

expectTypeOf<OAuthProviderRegistryOptions>().toEqualTypeOf<
  Readonly<{
    baseUrl: string
    stateSecret: string
    providers: IdentityProvider[]
    policy?: FederatedPolicy | undefined
    callbackPathTemplate?: string | undefined
    clockToleranceSec?: number | undefined
    jwks?: { readonly cacheTtlMs?: number | undefined; readonly refreshOnUnknownKid?: boolean | undefined } | undefined
    clock?: Clock | undefined
    fetch?: FetchLike | undefined
  }>
>()
expectTypeOf<typeof OAuthProviderRegistry>().constructorParameters.toEqualTypeOf<
  [options: OAuthProviderRegistryOptions]
>()
expectTypeOf<Pick<OAuthProviderRegistry, keyof OAuthProviderRegistry>>().toEqualTypeOf<{
  readonly policy: ResolvedFederatedPolicy
  has: (id: string) => boolean
  get: (id: string) => IdentityProvider | undefined
  require: (id: string) => IdentityProvider
  ids: () => string[]
  list: () => IdentityProvider[]
  callbackPath: (providerId: string) => string
  redirectUri: (providerId: string) => string
  signState: (payload: OAuthStatePayload, options?: SignStateOptions) => Promise<string>
  verifyState: (token: string, options?: VerifyStateOptions) => Promise<OAuthStatePayload>
}>()

// State, PKCE and the other helpers.

expectTypeOf<OAuthStatePayload>().toEqualTypeOf<{
  random: string
  provider: string
  redirect: string
  verifier?: string | undefined
  nonce?: string | undefined
  handle?: string | undefined
  userId?: string | undefined
}>()
expectTypeOf<SignStateOptions>().toEqualTypeOf<Readonly<{ ttlSec?: number | undefined; clock?: Clock | undefined }>>()
expectTypeOf<VerifyStateOptions>().toEqualTypeOf<
  Readonly<{ clock?: Clock | undefined; expectedProvider?: string | undefined }>
>()
expectTypeOf(signState).toEqualTypeOf<
  (payload: OAuthStatePayload, secret: string | Uint8Array, options?: SignStateOptions) => Promise<string>
>()
expectTypeOf(verifyState).toEqualTypeOf<
  (token: string, secret: string | Uint8Array, options?: VerifyStateOptions) => Promise<OAuthStatePayload>
>()
expectTypeOf<PkcePair>().toEqualTypeOf<{ verifier: string; challenge: string; method: 'S256' }>()
expectTypeOf(createPkcePair).toEqualTypeOf<() => PkcePair>()
expectTypeOf(pkceChallengeFor).toEqualTypeOf<(verifier: string) => string>()
expectTypeOf(generateNonce).toEqualTypeOf<(bytes?: number) => string>()
expectTypeOf(generateRandomState).toEqualTypeOf<(bytes?: number) => string>()
expectTypeOf(safeRedirect).toEqualTypeOf<(target: string, baseUrl: string) => string>()
expectTypeOf<CallbackResult>().toEqualTypeOf<{ code: string; state: string; user?: string }>()
expectTypeOf(readCallback).toEqualTypeOf<
  (params: URLSearchParams | Record<string, string | string[] | undefined>) => CallbackResult
>()

// Accounts.

expectTypeOf<ResolvedFederatedPolicy>().toEqualTypeOf<
  Readonly<{
    emailMatch: 'create-separate' | 'auto-link-if-verified' | 'require-interactive-link'
    allowSignup: boolean
    usernameStrategy: (profile: NormalizedProfile) => string
    trustEmailVerifiedFrom: string[]
  }>
>()
expectTypeOf<ResolvedFederatedPolicy>().toExtend<FederatedPolicy>()
expectTypeOf<Record<string, never>>().toExtend<FederatedPolicy>()
expectTypeOf(resolveFederatedPolicy).toEqualTypeOf<(policy?: FederatedPolicy) => ResolvedFederatedPolicy>()
expectTypeOf(defaultUsernameStrategy).toEqualTypeOf<(profile: NormalizedProfile) => string>()
expectTypeOf<ResolveOutcome>().toEqualTypeOf<
  | { kind: 'linked'; userId: string; isNew: false; changes?: AccountChange[] }
  | { kind: 'created'; userId: string; isNew: true }
  | { kind: 'auto-linked'; userId: string; isNew: false }
  | { kind: 'needs-link'; candidateUserId: string }
  | { kind: 'denied'; reason: 'signup-disabled' | 'email-unavailable' }
>()
expectTypeOf<FederatedLoginServiceDeps<{ age: number }>>().toEqualTypeOf<
  Readonly<{
    users: UserService<{ age: number }>
    federated: FederatedIdentityStore
    policy?: FederatedPolicy | undefined
  }>
>()
expectTypeOf<Pick<FederatedLoginService, keyof FederatedLoginService>>().toEqualTypeOf<{
  readonly policy: ResolvedFederatedPolicy
  resolveUser: (profile: NormalizedProfile) => Promise<ResolveOutcome>
  linkIdentity: (args: {
    provider: string
    subject: string
    userId: string
    profile?: NormalizedProfile | undefined
  }) => Promise<FederatedIdentity>
}>()
expectTypeOf<FederatedIdentity>().toEqualTypeOf<{
  id: string
  provider: string
  subject: string
  userId: string
  email?: string
  emailVerified?: boolean
  displayName?: string
  avatarUrl?: string
  linkedAt: number
  lastLoginAt?: number
}>()
expectTypeOf<UserRecord>().toEqualTypeOf<{
  id: string
  username: string
  email?: string | undefined
  emailVerified?: boolean | undefined
  active: boolean
  displayName?: string | undefined
  provisioned?: boolean | undefined
}>()
expectTypeOf<UserService<{ age: number }>>().toEqualTypeOf<{
  findByEmail(email: string): Promise<(UserRecord & { age: number }) | null>
  findById(id: string): Promise<(UserRecord & { age: number }) | null>
  createUser(username: string, extras?: UserExtras): Promise<UserRecord & { age: number }>
  activateAccount(id: string): Promise<void>
  createLinkedUser?(
    username: string,
    extras: UserExtras,
    identity: Omit<NewFederatedIdentity, 'userId'>,
  ): Promise<UserRecord & { age: number }>
  updateProfile?(id: string, changes: UserProfileChanges): Promise<readonly (keyof UserProfileChanges)[]>
  deleteUser?(id: string): Promise<void>
}>()
expectTypeOf<UserExtras>().toEqualTypeOf<{
  email?: string | undefined
  emailVerified?: boolean | undefined
  provisioned?: boolean | undefined
}>()
expectTypeOf<UserProfileChanges>().toEqualTypeOf<{
  email?: string | undefined
  emailVerified?: boolean | undefined
  displayName?: string | undefined
}>()
expectTypeOf<MemoryUserService>().toExtend<UserService>()
type Snapshot = {
  email?: string | undefined
  emailVerified?: boolean | undefined
  displayName?: string | undefined
  avatarUrl?: string | undefined
}
expectTypeOf<FederatedIdentityStore>().branded.toEqualTypeOf<{
  find(provider: string, subject: string): Promise<FederatedIdentity | null>
  listForUser(userId: string): Promise<FederatedIdentity[]>
  link(identity: Snapshot & { provider: string; subject: string; userId: string }): Promise<FederatedIdentity>
  unlink(provider: string, subject: string): Promise<boolean>
  touchLogin(provider: string, subject: string, snapshot?: Snapshot): Promise<void>
  deleteAllForUser(userId: string): Promise<number>
}>()
type Maybe = { email: string | undefined; emailVerified: boolean | undefined }
expectTypeOf<Maybe>().toExtend<UserExtras & FederatedIdentitySnapshot>()
expectTypeOf<Maybe & { provider: string; subject: string; raw: unknown }>().toExtend<NormalizedProfile>()
expectTypeOf<MemoryFederatedIdentityStore>().toExtend<FederatedIdentityStore>()

// Errors.

expectTypeOf<OAuthErrorType>().toEqualTypeOf<
  | 'UNKNOWN_PROVIDER'
  | 'INVALID_CONFIG'
  | 'STATE_INVALID'
  | 'STATE_EXPIRED'
  | 'PROVIDER_DENIED'
  | 'EXCHANGE_FAILED'
  | 'JWKS_FAILED'
  | 'ID_TOKEN_INVALID'
  | 'EMAIL_UNAVAILABLE'
>()
expectTypeOf<OAuthError>().toExtend<Error>()
expectTypeOf<OAuthError['code']>().toEqualTypeOf<OAuthErrorType>()
expectTypeOf<OAuthError['name']>().toEqualTypeOf<'OAuthError'>()
expectTypeOf<typeof OAuthError>().constructorParameters.toEqualTypeOf<
  [
    type: OAuthErrorType,
    message?: string | undefined,
    details?: Record<string, unknown> | undefined,
    options?: ErrorOptions | undefined,
  ]
>()
expectTypeOf<UserConflictError['type']>().toEqualTypeOf<'ALREADY_EXISTS'>()
expectTypeOf<IdentityConflictError['type']>().toEqualTypeOf<'ALREADY_EXISTS'>()

declare const error: OAuthError
// @ts-expect-error the type is read-only
error.type = 'INVALID_CONFIG'
declare const provider: OidcProvider
// @ts-expect-error the id is read-only
provider.id = 'other'
// @ts-expect-error the algorithms are for subclasses
void provider.signingAlgs
