/** The page with the ways to sign in to one's account. */
export const accountPath = '/auth/account'

export function confirmPath(linkId: string): string {
  return `${accountPath}/confirm?link=${linkId}`
}
