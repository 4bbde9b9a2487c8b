/** A scope that programs can ask for. */
export interface ScopeDefinition {
  /** What the consent page says: `See your tasks`. */
  readonly label: string
  /** Only people with one of these roles can grant it. Without the list, everybody can. */
  readonly roles?: readonly string[] | undefined
}

/** Every scope of a server, by name. */
export type Scopes = Readonly<Record<string, ScopeDefinition>>

/** OpenID Connect Core 5.4: they ask for claims about a person and open no route. */
export const openidScopes: Scopes = {
  openid: { label: 'Know who you are' },
  profile: { label: 'See your name' },
  email: { label: 'See your e-mail address' },
}

/** Whether a scope is one of OpenID Connect's own (Core 5.4 and 11), which never opens a route, whatever an application calls so. */
export function isOpenidScope(name: string): boolean {
  return Object.hasOwn(openidScopes, name) || ['address', 'phone', 'offline_access'].includes(name)
}

/** The names in a scope (RFC 6749 §3.3), each once. */
export function readScope(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((name) => name !== ''))]
}

/** The names that this server offers and this client may ask for. RFC 6749 §3.3 lets a server leave the others out. */
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
