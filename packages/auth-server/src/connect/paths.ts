/** The page that lists the ways to sign in to an account. */
export const accountPath = '/auth/account'

export function confirmPath(linkId: string): string {
  return `${accountPath}/confirm?link=${linkId}`
}
