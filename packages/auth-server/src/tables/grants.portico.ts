// Generated from grants.portico by `portico generate`. Do not edit: change grants.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'grants.portico.ts')

/** A request at the authorize endpoint. It never changes; answering it deletes it. */
export interface AuthorizationRequest {
  id: string
  /** SHA-256 of the cookie of the browser that sent it. */
  browserHash: string
  /** Absent for a loopback client. */
  clientId?: string
  redirectUri: string
  scope: string
  state?: string
  nonce?: string
  codeChallenge: string
  /** The person must not be asked anything (`prompt=none`). */
  silent: boolean
  /** The consent page is shown even if consent was given before. */
  askConsent: boolean
  /** The sign-in must be later than this. */
  signedInAfter?: number
  /** Passed on to the provider, as the client sent it. */
  prompt?: string
  maxAgeSec?: number
  loginHint?: string
  acrValues?: string
  uiLocales?: string
  /** The user in the `id_token_hint` of the client. */
  hintedUserId?: string
  createdAt: number
  expiresAt: number
}

/** Input to insert an `AuthorizationRequest`. Fields with a default may be omitted; `null` means no value. */
export interface AuthorizationRequestInsert {
  id: string
  browserHash: string
  clientId?: string | null
  redirectUri: string
  scope: string
  state?: string | null
  nonce?: string | null
  codeChallenge: string
  silent: boolean
  askConsent: boolean
  signedInAfter?: number | null
  prompt?: string | null
  maxAgeSec?: number | null
  loginHint?: string | null
  acrValues?: string | null
  uiLocales?: string | null
  hintedUserId?: string | null
  createdAt: number
  expiresAt: number
}

/** Input to replace an `AuthorizationRequest`: every field except those filled in on write. */
export interface AuthorizationRequestReplace {
  id: string
  browserHash: string
  clientId?: string | null
  redirectUri: string
  scope: string
  state?: string | null
  nonce?: string | null
  codeChallenge: string
  silent: boolean
  askConsent: boolean
  signedInAfter?: number | null
  prompt?: string | null
  maxAgeSec?: number | null
  loginHint?: string | null
  acrValues?: string | null
  uiLocales?: string | null
  hintedUserId?: string | null
  createdAt: number
  expiresAt: number
}

/** Input to update an `AuthorizationRequest`: its key and any other fields. `null` clears an optional field. */
export interface AuthorizationRequestUpdate {
  id: string
  browserHash?: string
  clientId?: string | null
  redirectUri?: string
  scope?: string
  state?: string | null
  nonce?: string | null
  codeChallenge?: string
  silent?: boolean
  askConsent?: boolean
  signedInAfter?: number | null
  prompt?: string | null
  maxAgeSec?: number | null
  loginHint?: string | null
  acrValues?: string | null
  uiLocales?: string | null
  hintedUserId?: string | null
  createdAt?: number
  expiresAt?: number
}

/** The primary key of an `AuthorizationRequest`. */
export interface AuthorizationRequestKey {
  id: string
}

export const AuthorizationRequest: portico.TableDeclaration<AuthorizationRequest, AuthorizationRequestInsert, AuthorizationRequestUpdate, AuthorizationRequestKey, AuthorizationRequestReplace> = portico.defineTable({
  name: 'AuthorizationRequest',
  table: 'auth_requests',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'browserHash', name: 'browserHash', type: 'string', storage: 'text' },
    { path: 'clientId', name: 'clientId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'redirectUri', name: 'redirectUri', type: 'string', storage: 'text' },
    { path: 'scope', name: 'scope', type: 'string', storage: 'text' },
    { path: 'state', name: 'state', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'nonce', name: 'nonce', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'codeChallenge', name: 'codeChallenge', type: 'string', storage: 'text' },
    { path: 'silent', name: 'silent', type: 'boolean', storage: 'boolean' },
    { path: 'askConsent', name: 'askConsent', type: 'boolean', storage: 'boolean' },
    { path: 'signedInAfter', name: 'signedInAfter', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'prompt', name: 'prompt', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'maxAgeSec', name: 'maxAgeSec', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true },
    { path: 'loginHint', name: 'loginHint', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'acrValues', name: 'acrValues', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'uiLocales', name: 'uiLocales', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'hintedUserId', name: 'hintedUserId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_requests__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A request at the authorize endpoint. It never changes; answering it deletes it.',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      browserHash: { description: 'SHA-256 of the cookie of the browser that sent it.', type: 'string' },
      clientId: { description: 'Absent for a loopback client.', type: 'string' },
      redirectUri: { type: 'string' },
      scope: { type: 'string' },
      state: { type: 'string' },
      nonce: { type: 'string' },
      codeChallenge: { type: 'string' },
      silent: { description: 'The person must not be asked anything (`prompt=none`).', type: 'boolean' },
      askConsent: { description: 'The consent page is shown even if consent was given before.', type: 'boolean' },
      signedInAfter: {
        description: 'The sign-in must be later than this.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      prompt: { description: 'Passed on to the provider, as the client sent it.', type: 'string' },
      maxAgeSec: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      loginHint: { type: 'string' },
      acrValues: { type: 'string' },
      uiLocales: { type: 'string' },
      hintedUserId: { description: 'The user in the `id_token_hint` of the client.', type: 'string' },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: [
      'id',
      'browserHash',
      'redirectUri',
      'scope',
      'codeChallenge',
      'silent',
      'askConsent',
      'createdAt',
      'expiresAt',
    ],
    additionalProperties: false,
  },
  check: checkAuthorizationRequest,
})

function checkAuthorizationRequest(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'browserHash':
      case 'clientId':
      case 'redirectUri':
      case 'scope':
      case 'state':
      case 'nonce':
      case 'codeChallenge':
      case 'silent':
      case 'askConsent':
      case 'signedInAfter':
      case 'prompt':
      case 'maxAgeSec':
      case 'loginHint':
      case 'acrValues':
      case 'uiLocales':
      case 'hintedUserId':
      case 'createdAt':
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
  it = value['browserHash']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'browserHash'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'browserHash')
  it = value['clientId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'clientId'], 'text')
  }
  it = value['redirectUri']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'redirectUri'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'redirectUri')
  it = value['scope']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'scope'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'scope')
  it = value['state']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'state'], 'text')
  }
  it = value['nonce']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'nonce'], 'text')
  }
  it = value['codeChallenge']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'codeChallenge'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'codeChallenge')
  it = value['silent']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'silent'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'silent')
  it = value['askConsent']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'askConsent'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'askConsent')
  it = value['signedInAfter']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'signedInAfter'], 'a whole number')
  }
  it = value['prompt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'prompt'], 'text')
  }
  it = value['maxAgeSec']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'maxAgeSec'], 'a whole number')
  }
  it = value['loginHint']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'loginHint'], 'text')
  }
  it = value['acrValues']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'acrValues'], 'text')
  }
  it = value['uiLocales']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'uiLocales'], 'text')
  }
  it = value['hintedUserId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'hintedUserId'], 'text')
  }
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'createdAt')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** A remembered consent: the scopes that a user has granted to a registered client. */
export interface Consent {
  userId: string
  clientId: string
  scope: string
  grantedAt: number
}

/** Input to insert a `Consent`. Fields with a default may be omitted; `null` means no value. */
export interface ConsentInsert {
  userId: string
  clientId: string
  scope: string
  grantedAt: number
}

/** Input to replace a `Consent`: every field except those filled in on write. */
export interface ConsentReplace {
  userId: string
  clientId: string
  scope: string
  grantedAt: number
}

/** Input to update a `Consent`: its key and any other fields. `null` clears an optional field. */
export interface ConsentUpdate {
  userId: string
  clientId: string
  scope?: string
  grantedAt?: number
}

/** The primary key of a `Consent`. */
export interface ConsentKey {
  userId: string
  clientId: string
}

export const Consent: portico.TableDeclaration<Consent, ConsentInsert, ConsentUpdate, ConsentKey, ConsentReplace> = portico.defineTable({
  name: 'Consent',
  table: 'auth_consents',
  key: ['userId', 'clientId'],
  columns: [
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid', key: true },
    { path: 'clientId', name: 'clientId', type: 'string', storage: 'text', key: true, expect: { maxLength: 255 } },
    { path: 'scope', name: 'scope', type: 'string', storage: 'text' },
    { path: 'grantedAt', name: 'grantedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_consents__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A remembered consent: the scopes that a user has granted to a registered client.',
    type: 'object',
    properties: {
      userId: { type: 'string', format: 'uuid' },
      clientId: { type: 'string', maxLength: 255 },
      scope: { type: 'string' },
      grantedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['userId', 'clientId', 'scope', 'grantedAt'],
    additionalProperties: false,
  },
  check: checkConsent,
})

function checkConsent(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'userId':
      case 'clientId':
      case 'scope':
      case 'grantedAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else portico.missing(issues, path, 'userId')
  it = value['clientId']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'clientId'], 'text')
    else {
      if (portico.lengthOf(it) > 255) portico.broken(issues, [...path, 'clientId'], 'maxLength', 'expected a length of at most 255')
    }
  } else portico.missing(issues, path, 'clientId')
  it = value['scope']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'scope'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'scope')
  it = value['grantedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'grantedAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'grantedAt')
}

export interface AuthorizationCode {
  /** SHA-256 of the code. */
  id: string
  clientId?: string
  redirectUri: string
  scope: string
  nonce?: string
  codeChallenge: string
  userId: string
  /** Time of the sign-in here. */
  authTime: number
  /** Time the provider authenticated the person; absent if it does not report one. */
  authenticatedAt?: number
  /** Authentication context and methods, as the provider reports them. */
  acr?: string
  amr?: string[]
  expiresAt: number
  usedAt?: number
  /** Set by every use after the first. */
  replayedAt?: number
}

/** Input to insert an `AuthorizationCode`. Fields with a default may be omitted; `null` means no value. */
export interface AuthorizationCodeInsert {
  id: string
  clientId?: string | null
  redirectUri: string
  scope: string
  nonce?: string | null
  codeChallenge: string
  userId: string
  authTime: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  expiresAt: number
  usedAt?: number | null
  replayedAt?: number | null
}

/** Input to replace an `AuthorizationCode`: every field except those filled in on write. */
export interface AuthorizationCodeReplace {
  id: string
  clientId?: string | null
  redirectUri: string
  scope: string
  nonce?: string | null
  codeChallenge: string
  userId: string
  authTime: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  expiresAt: number
  usedAt?: number | null
  replayedAt?: number | null
}

/** Input to update an `AuthorizationCode`: its key and any other fields. `null` clears an optional field. */
export interface AuthorizationCodeUpdate {
  id: string
  clientId?: string | null
  redirectUri?: string
  scope?: string
  nonce?: string | null
  codeChallenge?: string
  userId?: string
  authTime?: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  expiresAt?: number
  usedAt?: number | null
  replayedAt?: number | null
}

/** The primary key of an `AuthorizationCode`. */
export interface AuthorizationCodeKey {
  id: string
}

export const AuthorizationCode: portico.TableDeclaration<AuthorizationCode, AuthorizationCodeInsert, AuthorizationCodeUpdate, AuthorizationCodeKey, AuthorizationCodeReplace> = portico.defineTable({
  name: 'AuthorizationCode',
  table: 'auth_codes',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'clientId', name: 'clientId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'redirectUri', name: 'redirectUri', type: 'string', storage: 'text' },
    { path: 'scope', name: 'scope', type: 'string', storage: 'text' },
    { path: 'nonce', name: 'nonce', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'codeChallenge', name: 'codeChallenge', type: 'string', storage: 'text' },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'authTime', name: 'authTime', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'authenticatedAt', name: 'authenticatedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'acr', name: 'acr', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'amr', name: 'amr', type: 'json', storage: 'json', shape: 'array', element: 'string', nullable: true, optional: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'usedAt', name: 'usedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'replayedAt', name: 'replayedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
  ],
  indexes: [
    { name: 'auth_codes__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_codes__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { description: 'SHA-256 of the code.', type: 'string', maxLength: 64 },
      clientId: { type: 'string' },
      redirectUri: { type: 'string' },
      scope: { type: 'string' },
      nonce: { type: 'string' },
      codeChallenge: { type: 'string' },
      userId: { type: 'string', format: 'uuid' },
      authTime: {
        description: 'Time of the sign-in here.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      authenticatedAt: {
        description: 'Time the provider authenticated the person; absent if it does not report one.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      acr: { description: 'Authentication context and methods, as the provider reports them.', type: 'string' },
      amr: { type: 'array', items: { type: 'string' } },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      usedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      replayedAt: {
        description: 'Set by every use after the first.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
    },
    required: ['id', 'redirectUri', 'scope', 'codeChallenge', 'userId', 'authTime', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkAuthorizationCode,
})

function checkAuthorizationCode(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'clientId':
      case 'redirectUri':
      case 'scope':
      case 'nonce':
      case 'codeChallenge':
      case 'userId':
      case 'authTime':
      case 'authenticatedAt':
      case 'acr':
      case 'amr':
      case 'expiresAt':
      case 'usedAt':
      case 'replayedAt':
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
  it = value['clientId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'clientId'], 'text')
  }
  it = value['redirectUri']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'redirectUri'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'redirectUri')
  it = value['scope']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'scope'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'scope')
  it = value['nonce']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'nonce'], 'text')
  }
  it = value['codeChallenge']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'codeChallenge'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'codeChallenge')
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
  it = value['authTime']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'authTime'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'authTime')
  it = value['authenticatedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'authenticatedAt'], 'a whole number')
  }
  it = value['acr']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'acr'], 'text')
  }
  it = value['amr']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'amr'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'amr', index], 'text')
      }
    }
  }
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
  it = value['usedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'usedAt'], 'a whole number')
  }
  it = value['replayedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'replayedAt'], 'a whole number')
  }
}

export interface AccessToken {
  /** The primary key, since tokens are mostly looked up by hash. */
  tokenHash: string
  /** Identifies the token where people see it. */
  id: string
  /** The code that it was issued for. */
  codeHash: string
  userId: string
  clientId?: string
  scope: string
  /** The `User-Agent` of the program that requested it. */
  userAgent?: string
  createdAt: number
  expiresAt: number
  lastUsedAt?: number
  revokedAt?: number
}

/** Input to insert an `AccessToken`. Fields with a default may be omitted; `null` means no value. */
export interface AccessTokenInsert {
  tokenHash: string
  id?: string
  codeHash: string
  userId: string
  clientId?: string | null
  scope: string
  userAgent?: string | null
  createdAt: number
  expiresAt: number
  lastUsedAt?: number | null
  revokedAt?: number | null
}

/** Input to replace an `AccessToken`: every field except those filled in on write. */
export interface AccessTokenReplace {
  tokenHash: string
  id: string
  codeHash: string
  userId: string
  clientId?: string | null
  scope: string
  userAgent?: string | null
  createdAt: number
  expiresAt: number
  lastUsedAt?: number | null
  revokedAt?: number | null
}

/** Input to update an `AccessToken`: its key and any other fields. `null` clears an optional field. */
export interface AccessTokenUpdate {
  tokenHash: string
  id?: string
  codeHash?: string
  userId?: string
  clientId?: string | null
  scope?: string
  userAgent?: string | null
  createdAt?: number
  expiresAt?: number
  lastUsedAt?: number | null
  revokedAt?: number | null
}

/** The primary key of an `AccessToken`. */
export interface AccessTokenKey {
  tokenHash: string
}

export const AccessToken: portico.TableDeclaration<AccessToken, AccessTokenInsert, AccessTokenUpdate, AccessTokenKey, AccessTokenReplace> = portico.defineTable({
  name: 'AccessToken',
  table: 'auth_access_tokens',
  key: ['tokenHash'],
  columns: [
    { path: 'tokenHash', name: 'tokenHash', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', default: { kind: 'uuid' } },
    { path: 'codeHash', name: 'codeHash', type: 'string', storage: 'text', expect: { maxLength: 64 } },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'clientId', name: 'clientId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'scope', name: 'scope', type: 'string', storage: 'text' },
    { path: 'userAgent', name: 'userAgent', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'lastUsedAt', name: 'lastUsedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'revokedAt', name: 'revokedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
  ],
  indexes: [
    { name: 'auth_access_tokens__id', unique: true, columns: [{ path: 'id', column: 'id', order: 'asc' }] },
    { name: 'auth_access_tokens__codeHash', unique: false, columns: [{ path: 'codeHash', column: 'codeHash', order: 'asc' }] },
    { name: 'auth_access_tokens__userId', unique: false, columns: [{ path: 'userId', column: 'userId', order: 'asc' }] },
    { name: 'auth_access_tokens__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_access_tokens__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      tokenHash: {
        description: 'The primary key, since tokens are mostly looked up by hash.',
        type: 'string',
        maxLength: 64,
      },
      id: { description: 'Identifies the token where people see it.', type: 'string', format: 'uuid' },
      codeHash: { description: 'The code that it was issued for.', type: 'string', maxLength: 64 },
      userId: { type: 'string', format: 'uuid' },
      clientId: { type: 'string' },
      scope: { type: 'string' },
      userAgent: { description: 'The `User-Agent` of the program that requested it.', type: 'string' },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      lastUsedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      revokedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['tokenHash', 'id', 'codeHash', 'userId', 'scope', 'createdAt', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkAccessToken,
})

function checkAccessToken(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'tokenHash':
      case 'id':
      case 'codeHash':
      case 'userId':
      case 'clientId':
      case 'scope':
      case 'userAgent':
      case 'createdAt':
      case 'expiresAt':
      case 'lastUsedAt':
      case 'revokedAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['tokenHash']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'tokenHash'], 'text')
    else {
      if (portico.lengthOf(it) > 64) portico.broken(issues, [...path, 'tokenHash'], 'maxLength', 'expected a length of at most 64')
    }
  } else portico.missing(issues, path, 'tokenHash')
  it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'id')
  it = value['codeHash']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'codeHash'], 'text')
    else {
      if (portico.lengthOf(it) > 64) portico.broken(issues, [...path, 'codeHash'], 'maxLength', 'expected a length of at most 64')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'codeHash')
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
  it = value['clientId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'clientId'], 'text')
  }
  it = value['scope']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'scope'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'scope')
  it = value['userAgent']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'userAgent'], 'text')
  }
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'createdAt')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
  it = value['lastUsedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'lastUsedAt'], 'a whole number')
  }
  it = value['revokedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'revokedAt'], 'a whole number')
  }
}
