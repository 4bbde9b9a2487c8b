import type { HttpRequest } from '@portico/http'
import { hasSecret, isConfidential, type RegisteredClient } from '../clients.ts'
import { OAuthRefusal } from '../errors.ts'
import type { Params } from '../web/params.ts'

interface Credentials {
  readonly id: string
  readonly secret: string | undefined
}

/** The registered client that sent a form (RFC 6749 §2.3, §3.2.1); `undefined` if it names none. */
export function authenticateClient(
  clients: ReadonlyMap<string, RegisteredClient>,
  form: Params,
  request: HttpRequest,
): RegisteredClient | undefined {
  const credentials = readCredentials(form, request)
  if (!credentials) return undefined
  const client = clients.get(credentials.id)
  // The same error for an unknown client and a wrong secret, so that neither can be probed.
  if (!client || !isAuthenticated(client, credentials.secret))
    // The audit names an existing client, so that guessing its secret shows. A made-up name is not stored.
    throw new OAuthRefusal('invalid_client', 'the client is unknown or not authenticated', { clientId: client?.id })
  return client
}

function isAuthenticated(client: RegisteredClient, secret: string | undefined): boolean {
  return isConfidential(client) ? secret !== undefined && hasSecret(client, secret) : secret === undefined
}

function readCredentials(form: Params, { headers }: HttpRequest): Credentials | undefined {
  const basic = headers.authorization === undefined ? undefined : readBasic(headers.authorization)
  const id = form.get('client_id')
  const secret = form.get('client_secret')
  if (basic && (secret !== undefined || (id !== undefined && id !== basic.id)))
    throw new OAuthRefusal('invalid_request', 'the client authenticates in two ways')
  if (basic) return basic
  if (id === undefined && secret !== undefined) throw new OAuthRefusal('invalid_request', 'client_id is missing')
  return id === undefined ? undefined : { id, secret }
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function readBasic(header: string): Credentials {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (id === undefined || secret === undefined)
    throw new OAuthRefusal('invalid_client', 'the Authorization header is not valid')
  try {
    return { id: decodeForm(id), secret: decodeForm(secret) }
  } catch {
    throw new OAuthRefusal('invalid_client', 'the Authorization header is not valid')
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
