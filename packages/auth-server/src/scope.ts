/** A scope that programs can request. */
export interface ScopeDefinition {
  /** The text on the consent page: `See your tasks`. */
  readonly label: string
  /** Only people with one of these roles can grant it. Without this list, everybody can. */
  readonly roles?: readonly string[] | undefined
}

/** The scopes of a server, by name. */
export type Scopes = Readonly<Record<string, ScopeDefinition>>

/** OpenID Connect Core 5.4: these request claims about a person. They open no route. */
export const openidScopes: Scopes = {
  openid: { label: 'Know who you are' },
  profile: { label: 'See your name' },
  email: { label: 'See your e-mail address' },
}

/**
 * True for the scopes of OpenID Connect itself (Core 5.4 and 11). They never open a route, even if an application
 * declares one.
 */
export function isOpenidScope(name: string): boolean {
  return Object.hasOwn(openidScopes, name) || ['address', 'phone', 'offline_access'].includes(name)
}

/** The distinct names in a scope (RFC 6749 §3.3). */
export function readScope(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((name) => name !== ''))]
}

/** The names that this server offers and this client may request. RFC 6749 §3.3 lets a server drop the others. */
export function narrowToClient(
  scopes: Scopes,
  names: readonly string[],
  client: { readonly allowedScopes?: readonly string[] | undefined } | undefined,
): string[] {
  const allowed = client?.allowedScopes
  return names.filter((name) => Object.hasOwn(scopes, name) && (allowed?.includes(name) ?? true))
}

/** The names that a person with these roles can grant. */
export function narrowToRoles(scopes: Scopes, names: readonly string[], roles: readonly string[]): string[] {
  return names.filter((name) => {
    const reserved = Object.hasOwn(scopes, name) ? scopes[name]!.roles : []
    return reserved?.some((role) => roles.includes(role)) ?? true
  })
}
