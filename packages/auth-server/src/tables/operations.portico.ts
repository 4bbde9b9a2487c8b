// Generated from operations.portico by `portico generate`. Do not edit: change operations.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'operations.portico.ts')

/** A key that signs id tokens. */
export interface SigningKey {
  /** `<alg>:<number>`: of two instances that create the next key at once, one fails. */
  id: string
  kid: string
  alg: 'ES256' | 'RS256'
  /** JSON text of the JWK. */
  publicKey: string
  /** JSON text of the JWK, encrypted with a key that is not in the database. */
  privateKey: string
  signsFrom: number
  signsUntil: number
  /** Published until then, to verify earlier tokens. */
  expiresAt: number
}

/** Input to insert a `SigningKey`. Fields with a default may be omitted; `null` means no value. */
export interface SigningKeyInsert {
  id: string
  kid: string
  alg: 'ES256' | 'RS256'
  publicKey: string
  privateKey: string
  signsFrom: number
  signsUntil: number
  expiresAt: number
}

/** Input to replace a `SigningKey`: every field except those filled in on write. */
export interface SigningKeyReplace {
  id: string
  kid: string
  alg: 'ES256' | 'RS256'
  publicKey: string
  privateKey: string
  signsFrom: number
  signsUntil: number
  expiresAt: number
}

/** Input to update a `SigningKey`: its key and any other fields. `null` clears an optional field. */
export interface SigningKeyUpdate {
  id: string
  kid?: string
  alg?: 'ES256' | 'RS256'
  publicKey?: string
  privateKey?: string
  signsFrom?: number
  signsUntil?: number
  expiresAt?: number
}

/** The primary key of a `SigningKey`. */
export interface SigningKeyKey {
  id: string
}

export const SigningKey: portico.TableDeclaration<SigningKey, SigningKeyInsert, SigningKeyUpdate, SigningKeyKey, SigningKeyReplace> = portico.defineTable({
  name: 'SigningKey',
  table: 'auth_signing_keys',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'kid', name: 'kid', type: 'string', storage: 'text' },
    { path: 'alg', name: 'alg', type: 'string', storage: 'text', values: ['ES256', 'RS256'] },
    { path: 'publicKey', name: 'publicKey', type: 'string', storage: 'text' },
    { path: 'privateKey', name: 'privateKey', type: 'string', storage: 'text' },
    { path: 'signsFrom', name: 'signsFrom', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'signsUntil', name: 'signsUntil', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_signing_keys__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A key that signs id tokens.',
    type: 'object',
    properties: {
      id: {
        description: '`<alg>:<number>`: of two instances that create the next key at once, one fails.',
        type: 'string',
        maxLength: 64,
      },
      kid: { type: 'string' },
      alg: { type: 'string', enum: ['ES256', 'RS256'] },
      publicKey: { description: 'JSON text of the JWK.', type: 'string' },
      privateKey: {
        description: 'JSON text of the JWK, encrypted with a key that is not in the database.',
        type: 'string',
      },
      signsFrom: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      signsUntil: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      expiresAt: {
        description: 'Published until then, to verify earlier tokens.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
    },
    required: ['id', 'kid', 'alg', 'publicKey', 'privateKey', 'signsFrom', 'signsUntil', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkSigningKey,
})

function checkSigningKey(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'kid':
      case 'alg':
      case 'publicKey':
      case 'privateKey':
      case 'signsFrom':
      case 'signsUntil':
      case 'expiresAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'id'], 'text')
    else {
      if (portico.lengthOf(it) > 64) portico.broken(issues, [...path, 'id'], 'maxLength', 'expected a length of at most 64')
    }
  } else portico.missing(issues, path, 'id')
  it = value['kid']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'kid'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'kid')
  it = value['alg']
  if (it !== undefined) {
    if (!(it === 'ES256' || it === 'RS256')) portico.wrong(issues, [...path, 'alg'], "one of 'ES256', 'RS256'")
  } else if (mode !== 'update') portico.missing(issues, path, 'alg')
  it = value['publicKey']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'publicKey'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'publicKey')
  it = value['privateKey']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'privateKey'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'privateKey')
  it = value['signsFrom']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'signsFrom'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'signsFrom')
  it = value['signsUntil']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'signsUntil'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'signsUntil')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** One row for each event that was granted, refused or revoked. It holds no secrets. */
export interface AuditEvent {
  id: string
  /** For refusals that share a row: time of the last one. */
  at: number
  event: 'sign-in' | 'sign-out' | 'link' | 'consent' | 'token' | 'revocation' | 'request' | 'account'
  outcome: 'granted' | 'refused'
  /** Why it was refused, or what was changed. */
  reason?: string
  /** Number of refusals of one kind, from one address, within one hour. Absent means one. */
  count?: number
  userId?: string
  clientId?: string
  provider?: string
  ip?: string
  userAgent?: string
  expiresAt: number
}

/** Input to insert an `AuditEvent`. Fields with a default may be omitted; `null` means no value. */
export interface AuditEventInsert {
  id?: string
  at: number
  event: 'sign-in' | 'sign-out' | 'link' | 'consent' | 'token' | 'revocation' | 'request' | 'account'
  outcome: 'granted' | 'refused'
  reason?: string | null
  count?: number | null
  userId?: string | null
  clientId?: string | null
  provider?: string | null
  ip?: string | null
  userAgent?: string | null
  expiresAt: number
}

/** Input to replace an `AuditEvent`: every field except those filled in on write. */
export interface AuditEventReplace {
  id: string
  at: number
  event: 'sign-in' | 'sign-out' | 'link' | 'consent' | 'token' | 'revocation' | 'request' | 'account'
  outcome: 'granted' | 'refused'
  reason?: string | null
  count?: number | null
  userId?: string | null
  clientId?: string | null
  provider?: string | null
  ip?: string | null
  userAgent?: string | null
  expiresAt: number
}

/** Input to update an `AuditEvent`: its key and any other fields. `null` clears an optional field. */
export interface AuditEventUpdate {
  id: string
  at?: number
  event?: 'sign-in' | 'sign-out' | 'link' | 'consent' | 'token' | 'revocation' | 'request' | 'account'
  outcome?: 'granted' | 'refused'
  reason?: string | null
  count?: number | null
  userId?: string | null
  clientId?: string | null
  provider?: string | null
  ip?: string | null
  userAgent?: string | null
  expiresAt?: number
}

/** The primary key of an `AuditEvent`. */
export interface AuditEventKey {
  id: string
}

export const AuditEvent: portico.TableDeclaration<AuditEvent, AuditEventInsert, AuditEventUpdate, AuditEventKey, AuditEventReplace> = portico.defineTable({
  name: 'AuditEvent',
  table: 'auth_audit',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true, default: { kind: 'uuid' } },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'event', name: 'event', type: 'string', storage: 'text', values: ['sign-in', 'sign-out', 'link', 'consent', 'token', 'revocation', 'request', 'account'] },
    { path: 'outcome', name: 'outcome', type: 'string', storage: 'text', values: ['granted', 'refused'] },
    { path: 'reason', name: 'reason', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'count', name: 'count', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', nullable: true, optional: true, expect: { maxLength: 64 } },
    { path: 'clientId', name: 'clientId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'provider', name: 'provider', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'ip', name: 'ip', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'userAgent', name: 'userAgent', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_audit__userId', unique: false, columns: [{ path: 'userId', column: 'userId', order: 'asc' }] },
    { name: 'auth_audit__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'One row for each event that was granted, refused or revoked. It holds no secrets.',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      at: {
        description: 'For refusals that share a row: time of the last one.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      event: {
        type: 'string',
        enum: ['sign-in', 'sign-out', 'link', 'consent', 'token', 'revocation', 'request', 'account'],
      },
      outcome: { type: 'string', enum: ['granted', 'refused'] },
      reason: { description: 'Why it was refused, or what was changed.', type: 'string' },
      count: {
        description: 'Number of refusals of one kind, from one address, within one hour. Absent means one.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      userId: { type: 'string', maxLength: 64 },
      clientId: { type: 'string' },
      provider: { type: 'string' },
      ip: { type: 'string' },
      userAgent: { type: 'string' },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'at', 'event', 'outcome', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkAuditEvent,
})

function checkAuditEvent(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'at':
      case 'event':
      case 'outcome':
      case 'reason':
      case 'count':
      case 'userId':
      case 'clientId':
      case 'provider':
      case 'ip':
      case 'userAgent':
      case 'expiresAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['at']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'at')
  it = value['event']
  if (it !== undefined) {
    if (!(it === 'sign-in' || it === 'sign-out' || it === 'link' || it === 'consent' || it === 'token' || it === 'revocation' || it === 'request' || it === 'account')) portico.wrong(issues, [...path, 'event'], "one of 'sign-in', 'sign-out', 'link', 'consent', 'token', 'revocation', 'request', 'account'")
  } else if (mode !== 'update') portico.missing(issues, path, 'event')
  it = value['outcome']
  if (it !== undefined) {
    if (!(it === 'granted' || it === 'refused')) portico.wrong(issues, [...path, 'outcome'], "one of 'granted', 'refused'")
  } else if (mode !== 'update') portico.missing(issues, path, 'outcome')
  it = value['reason']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'reason'], 'text')
  }
  it = value['count']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'count'], 'a whole number')
  }
  it = value['userId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'userId'], 'text')
    else {
      if (portico.lengthOf(it) > 64) portico.broken(issues, [...path, 'userId'], 'maxLength', 'expected a length of at most 64')
    }
  }
  it = value['clientId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'clientId'], 'text')
  }
  it = value['provider']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'provider'], 'text')
  }
  it = value['ip']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'ip'], 'text')
  }
  it = value['userAgent']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'userAgent'], 'text')
  }
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** A counter for a window of time. Writing the row increments it. */
export interface RateLimit {
  id: string
  hits: number
  expiresAt: number
}

/** Input to insert a `RateLimit`. Fields with a default may be omitted; `null` means no value. */
export interface RateLimitInsert {
  id: string
  hits?: number
  expiresAt: number
}

/** Input to replace a `RateLimit`: every field except those filled in on write. */
export interface RateLimitReplace {
  id: string
  hits?: number
  expiresAt: number
}

/** Input to update a `RateLimit`: its key and any other fields. `null` clears an optional field. */
export interface RateLimitUpdate {
  id: string
  hits?: number
  expiresAt?: number
}

/** The primary key of a `RateLimit`. */
export interface RateLimitKey {
  id: string
}

export const RateLimit: portico.TableDeclaration<RateLimit, RateLimitInsert, RateLimitUpdate, RateLimitKey, RateLimitReplace> = portico.defineTable({
  name: 'RateLimit',
  table: 'auth_rate_limits',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'hits', name: 'hits', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_rate_limits__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A counter for a window of time. Writing the row increments it.',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      hits: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'hits', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkRateLimit,
})

function checkRateLimit(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'hits':
      case 'expiresAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'id'], 'text')
    else {
      if (portico.lengthOf(it) > 64) portico.broken(issues, [...path, 'id'], 'maxLength', 'expected a length of at most 64')
    }
  } else portico.missing(issues, path, 'id')
  it = value['hits']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'hits'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'hits')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}
