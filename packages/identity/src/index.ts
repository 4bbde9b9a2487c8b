export type { CallbackParams, CallbackResult } from './callback.ts'
export { readCallback } from './callback.ts'
export type { Clock } from './clock.ts'
export type { OAuthErrorType } from './errors.ts'
export { IdentityConflictError, OAuthError, UserConflictError } from './errors.ts'
export type { FetchLike, FetchResponseLike } from './fetch.ts'
export type { AccountChange } from './follow-profile.ts'
export type { FederatedLoginServiceDeps, ResolveOutcome } from './login-service.ts'
export { FederatedLoginService } from './login-service.ts'
export { MemoryFederatedIdentityStore, MemoryUserService } from './memory-stores.ts'
export type { ClientAuth, ClientKey } from './oidc/client-auth.ts'
export type { OidcDiscoveryDocument } from './oidc/discovery.ts'
export type { KeyResolver, VerificationKey } from './oidc/key-set.ts'
export type { PkcePair } from './pkce.ts'
export { createPkcePair, pkceChallengeFor } from './pkce.ts'
export type { FederatedPolicy, ResolvedFederatedPolicy } from './policy.ts'
export { defaultUsernameStrategy, resolveFederatedPolicy } from './policy.ts'
export type {
  AuthorizationUrlArgs,
  ConfigurableProvider,
  ExchangeArgs,
  IdentityProvider,
  NormalizedProfile,
  SharedKeySetConfig,
  SharedProviderConfig,
} from './provider.ts'
export { isConfigurableProvider } from './provider.ts'
export type { AlphaProviderOptions } from './providers/alpha.ts'
export { ALPHA_ISSUER, AlphaProvider } from './providers/alpha.ts'
export type { BetaProviderOptions } from './providers/beta.ts'
export { BETA_ENDPOINTS, BetaProvider, USER_AGENT } from './providers/beta.ts'
export type { FakeIdentityProviderOptions } from './providers/fake.ts'
export { FakeIdentityProvider } from './providers/fake.ts'
export type { GammaExchangeArgs, GammaProviderOptions } from './providers/gamma.ts'
export { GAMMA_ISSUER, GammaProvider } from './providers/gamma.ts'
export type { OidcProviderOptions } from './providers/oidc.ts'
export { OidcProvider } from './providers/oidc.ts'
export { generateNonce, generateRandomState } from './random.ts'
export { safeRedirect } from './redirect.ts'
export type { OAuthProviderRegistryOptions } from './registry.ts'
export { OAuthProviderRegistry } from './registry.ts'
export { isLoopback } from './shared/loopback.ts'
export type { OAuthStatePayload, SignStateOptions, VerifyStateOptions } from './state.ts'
export { signState, verifyState } from './state.ts'
export type {
  FederatedIdentity,
  FederatedIdentitySnapshot,
  FederatedIdentityStore,
  NewFederatedIdentity,
  UserExtras,
  UserProfileChanges,
  UserRecord,
  UserService,
} from './stores.ts'
export { foldEmail } from './stores.ts'
