import { type FetchLike, OidcProvider } from '@portico/identity'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { type Contenders, measureInTurns, type Sample } from './support/in-turns.ts'
import { median } from './support/statistics.ts'

export const title = 'What does a sign-in cost beyond verifying one signature?'

const issuer = 'https://login.example'
const audience = 'app'
const rounds = 40
const callsPerRound = 100

export async function run(): Promise<string> {
  const rows: string[] = []
  for (const alg of ['RS256', 'ES256'])
    rows.push(...render(alg, await measureInTurns(await contendersFor(alg), { rounds, callsPerRound })))
  return [
    `\`exchange\` with a response from memory, so no network is measured: it builds the request, reads the response, and`,
    'makes every check of the id token. Compared with the minimum of any program: verifying the signature, issuer, audience and',
    `expiry. ${rounds} rounds of ${callsPerRound} calls one after the other, taking turns, medians.`,
    '',
    '| algorithm | program | ratio | wall, µs per call | CPU, µs per call |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

async function contendersFor(alg: string): Promise<Contenders> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'key' }
  const token = await new SignJWT({ nonce: 'nonce' })
    .setProtectedHeader({ alg, kid: 'key' })
    .setIssuer(issuer)
    .setSubject('ada')
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  const keys = createLocalJWKSet({ keys: [jwk] })
  const provider = new OidcProvider({
    issuer,
    clientId: audience,
    clientSecret: 'secret',
    fetch: answering(token, jwk),
  })
  const args = { code: 'code', redirectUri: 'https://app.example', codeVerifier: 'verifier', expectedNonce: 'nonce' }
  return {
    "jose's `jwtVerify`": () => jwtVerify(token, keys, { issuer, audience, algorithms: [alg] }),
    '`provider.exchange`': () => provider.exchange(args),
  }
}

function answering(token: string, jwk: JWK): FetchLike {
  const bodies: Record<string, unknown> = {
    '/token': { id_token: token, access_token: 'token', token_type: 'Bearer' },
    '/jwks': { keys: [jwk] },
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    },
  }
  return async (url) => {
    const text = JSON.stringify(bodies[new URL(url).pathname])
    return { ok: true, status: 200, text: async () => text, json: async () => JSON.parse(text) as unknown }
  }
}

function render(alg: string, samples: Map<string, Sample[]>): string[] {
  const [floor = []] = samples.values()
  return [...samples].map(([name, own]) => {
    const ratio = median(own.map((sample, round) => sample.wallUs / (floor[round]?.wallUs ?? Number.NaN)))
    const wall = median(own.map((sample) => sample.wallUs))
    const cpu = median(own.map((sample) => sample.cpuUs))
    return `| ${alg} | ${name} | ${ratio.toFixed(2)} | ${wall.toFixed(0)} | ${cpu.toFixed(0)} |`
  })
}
