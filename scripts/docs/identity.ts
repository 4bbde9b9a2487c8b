import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oauthErrors } from '../../packages/identity/src/errors.ts'
import { idTokenChecks } from '../../packages/identity/src/oidc/id-token.ts'
import { userinfoSubCheck } from '../../packages/identity/src/oidc/userinfo.ts'
import { root } from '../run.mjs'

/** Where the reference of the identity library's errors stands. */
export const errorReference = 'docs/reference/identity-errors.md'

/** Writes the reference of the identity library's errors from the tables in its code. */
export async function run(): Promise<string[]> {
  const file = join(root, errorReference)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, renderErrorReference())
  return [errorReference]
}

export function renderErrorReference(): string {
  const errors = Object.entries(oauthErrors).map(([type, { message, when, remedy }]) => [
    `\`${type}\``,
    message,
    when,
    remedy,
  ])
  const checks = [...idTokenChecks, userinfoSubCheck].map(({ name, must, clause }) => [
    `\`${name}\``,
    sentence(must),
    clause,
  ])
  return `<!-- Made by \`npm run docs -- identity\` from the code; change it there. -->

# Errors of @portico/identity

What the library throws by itself is an \`OAuthError\`, except for the conflicts below; what your own stores throw comes through as it is. Branch on \`type\`, never on the message. \`details\` holds what is known beyond the type, \`details.provider\` among it when the error comes from a provider; \`cause\` the reason underneath by name and system code. None of them ever holds a secret, code, token or verifier.

${table(['type', 'default message', 'when', 'what to do'], errors)}

## Checks of an id token

\`details.check\` of an \`ID_TOKEN_INVALID\` is one of these. They stand in this order, with the clause each implements, in \`src/oidc/id-token.ts\` (the last one in \`userinfo.ts\` beside it); whatever is found in the claims counts only after the signature was verified.

${table(['check', 'what must hold', 'clause'], checks)}

## Conflicts

| error | \`type\` | thrown by |
|---|---|---|
| \`UserConflictError\` | \`ALREADY_EXISTS\` | \`UserService.createUser\`, when the name is taken |
| \`IdentityConflictError\` | \`ALREADY_EXISTS\` | \`FederatedIdentityStore.link\`, when the identity is linked; \`linkIdentity\`, when it is another user’s |
`
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
