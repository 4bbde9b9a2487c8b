/** The person behind an identity, as pages show them: name and address, as far as they are known. */
export function identityLabel({ displayName, email }: { displayName?: string; email?: string }): string {
  if (displayName !== undefined && email !== undefined) return `${displayName} (${email})`
  return displayName ?? email ?? ''
}
