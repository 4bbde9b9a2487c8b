import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oauthErrors } from '../../packages/identity/src/errors.ts'
import { idTokenChecks } from '../../packages/identity/src/oidc/id-token.ts'
import { userinfoSubCheck } from '../../packages/identity/src/oidc/userinfo.ts'
import { root } from '../run.mjs'

/** The path of the generated page. */
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

The library throws \`OAuthError\`s, except for the conflicts below. Errors of your own stores pass through unchanged. Branch on \`type\` or on \`code\`, which has the same value, never on the message.

\`details\` has more for logs, such as \`details.provider\` if the error comes from a provider. \`cause\` has the name and system code of the underlying error. None of them ever contains a secret, code, token or verifier.

${table(['type', 'default message', 'when', 'what to do'], errors)}

## Checks of an id token

\`details.check\` of an \`ID_TOKEN_INVALID\` names the check that failed. \`src/oidc/id-token.ts\` has them in this order, each with the clause that it implements (the last one is in \`userinfo.ts\`). Claims count only after the signature was verified.

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
