// Generated from sign-ins.portico by `portico generate`. Do not edit: change sign-ins.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'sign-ins.portico.ts')

/** A session of a user in a browser. */
export interface Session {
  tokenHash: string
  /** Identifies the session where people see it. */
  id: string
  userId: string
  provider: string
  userAgent?: string
  /** Time of the sign-in here. */
  createdAt: number
  /** Time the provider authenticated the person; absent if it does not report one. */
  authenticatedAt?: number
  /** Authentication context and methods, as the provider reports them. */
  acr?: string
  amr?: string[]
  /** The authorization request that the person signed in for. */
  requestId?: string
  lastUsedAt: number
  expiresAt: number
}

/** Input to insert a `Session`. Fields with a default may be omitted; `null` means no value. */
export interface SessionInsert {
  tokenHash: string
  id?: string
  userId: string
  provider: string
  userAgent?: string | null
  createdAt: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  requestId?: string | null
  lastUsedAt: number
  expiresAt: number
}

/** Input to replace a `Session`: every field except those filled in on write. */
export interface SessionReplace {
  tokenHash: string
  id: string
  userId: string
  provider: string
  userAgent?: string | null
  createdAt: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  requestId?: string | null
  lastUsedAt: number
  expiresAt: number
}

/** Input to update a `Session`: its key and any other fields. `null` clears an optional field. */
export interface SessionUpdate {
  tokenHash: string
  id?: string
  userId?: string
  provider?: string
  userAgent?: string | null
  createdAt?: number
  authenticatedAt?: number | null
  acr?: string | null
  amr?: string[] | null
  requestId?: string | null
  lastUsedAt?: number
  expiresAt?: number
}

/** The primary key of a `Session`. */
export interface SessionKey {
  tokenHash: string
}

export const Session: portico.TableDeclaration<Session, SessionInsert, SessionUpdate, SessionKey, SessionReplace> = portico.defineTable({
  name: 'Session',
  table: 'auth_sessions',
  key: ['tokenHash'],
  columns: [
    { path: 'tokenHash', name: 'tokenHash', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', default: { kind: 'uuid' } },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'provider', name: 'provider', type: 'string', storage: 'text' },
    { path: 'userAgent', name: 'userAgent', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'authenticatedAt', name: 'authenticatedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'acr', name: 'acr', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'amr', name: 'amr', type: 'json', storage: 'json', shape: 'array', element: 'string', nullable: true, optional: true },
    { path: 'requestId', name: 'requestId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'lastUsedAt', name: 'lastUsedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_sessions__id', unique: true, columns: [{ path: 'id', column: 'id', order: 'asc' }] },
    { name: 'auth_sessions__userId', unique: false, columns: [{ path: 'userId', column: 'userId', order: 'asc' }] },
    { name: 'auth_sessions__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_sessions__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A session of a user in a browser.',
    type: 'object',
    properties: {
      tokenHash: { type: 'string', maxLength: 64 },
      id: { description: 'Identifies the session where people see it.', type: 'string', format: 'uuid' },
      userId: { type: 'string', format: 'uuid' },
      provider: { type: 'string' },
      userAgent: { type: 'string' },
      createdAt: {
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
      requestId: { description: 'The authorization request that the person signed in for.', type: 'string' },
      lastUsedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['tokenHash', 'id', 'userId', 'provider', 'createdAt', 'lastUsedAt', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkSession,
})

function checkSession(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'tokenHash':
      case 'id':
      case 'userId':
      case 'provider':
      case 'userAgent':
      case 'createdAt':
      case 'authenticatedAt':
      case 'acr':
      case 'amr':
      case 'requestId':
      case 'lastUsedAt':
      case 'expiresAt':
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
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
  it = value['provider']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'provider'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'provider')
  it = value['userAgent']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'userAgent'], 'text')
  }
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'createdAt')
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
  it = value['requestId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'requestId'], 'text')
  }
  it = value['lastUsedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'lastUsedAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'lastUsedAt')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** A sign-in at a provider that is in progress. The return deletes it. */
export interface SignIn {
  id: string
  browserHash: string
  provider: string
  codeVerifier: string
  nonce: string
  /** The path of this site to return to. */
  returnTo: string
  /** The pending link that this sign-in is to prove. */
  linkId?: string
  /** The authorization request that the person signs in for. */
  requestId?: string
  /** The invitation that it completes. */
  invitationId?: string
  /** The user to connect the identity to. */
  connectTo?: string
  /** The `prompt` that was sent to the provider. */
  prompt?: string
  expiresAt: number
}

/** Input to insert a `SignIn`. Fields with a default may be omitted; `null` means no value. */
export interface SignInInsert {
  id: string
  browserHash: string
  provider: string
  codeVerifier: string
  nonce: string
  returnTo: string
  linkId?: string | null
  requestId?: string | null
  invitationId?: string | null
  connectTo?: string | null
  prompt?: string | null
  expiresAt: number
}

/** Input to replace a `SignIn`: every field except those filled in on write. */
export interface SignInReplace {
  id: string
  browserHash: string
  provider: string
  codeVerifier: string
  nonce: string
  returnTo: string
  linkId?: string | null
  requestId?: string | null
  invitationId?: string | null
  connectTo?: string | null
  prompt?: string | null
  expiresAt: number
}

/** Input to update a `SignIn`: its key and any other fields. `null` clears an optional field. */
export interface SignInUpdate {
  id: string
  browserHash?: string
  provider?: string
  codeVerifier?: string
  nonce?: string
  returnTo?: string
  linkId?: string | null
  requestId?: string | null
  invitationId?: string | null
  connectTo?: string | null
  prompt?: string | null
  expiresAt?: number
}

/** The primary key of a `SignIn`. */
export interface SignInKey {
  id: string
}

export const SignIn: portico.TableDeclaration<SignIn, SignInInsert, SignInUpdate, SignInKey, SignInReplace> = portico.defineTable({
  name: 'SignIn',
  table: 'auth_sign_ins',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'browserHash', name: 'browserHash', type: 'string', storage: 'text' },
    { path: 'provider', name: 'provider', type: 'string', storage: 'text' },
    { path: 'codeVerifier', name: 'codeVerifier', type: 'string', storage: 'text' },
    { path: 'nonce', name: 'nonce', type: 'string', storage: 'text' },
    { path: 'returnTo', name: 'returnTo', type: 'string', storage: 'text' },
    { path: 'linkId', name: 'linkId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'requestId', name: 'requestId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'invitationId', name: 'invitationId', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'connectTo', name: 'connectTo', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'prompt', name: 'prompt', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_sign_ins__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A sign-in at a provider that is in progress. The return deletes it.',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      browserHash: { type: 'string' },
      provider: { type: 'string' },
      codeVerifier: { type: 'string' },
      nonce: { type: 'string' },
      returnTo: { description: 'The path of this site to return to.', type: 'string' },
      linkId: { description: 'The pending link that this sign-in is to prove.', type: 'string' },
      requestId: { description: 'The authorization request that the person signs in for.', type: 'string' },
      invitationId: { description: 'The invitation that it completes.', type: 'string' },
      connectTo: { description: 'The user to connect the identity to.', type: 'string' },
      prompt: { description: 'The `prompt` that was sent to the provider.', type: 'string' },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'browserHash', 'provider', 'codeVerifier', 'nonce', 'returnTo', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkSignIn,
})

function checkSignIn(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'browserHash':
      case 'provider':
      case 'codeVerifier':
      case 'nonce':
      case 'returnTo':
      case 'linkId':
      case 'requestId':
      case 'invitationId':
      case 'connectTo':
      case 'prompt':
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
  it = value['provider']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'provider'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'provider')
  it = value['codeVerifier']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'codeVerifier'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'codeVerifier')
  it = value['nonce']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'nonce'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'nonce')
  it = value['returnTo']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'returnTo'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'returnTo')
  it = value['linkId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'linkId'], 'text')
  }
  it = value['requestId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'requestId'], 'text')
  }
  it = value['invitationId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'invitationId'], 'text')
  }
  it = value['connectTo']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'connectTo'], 'text')
  }
  it = value['prompt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'prompt'], 'text')
  }
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** A form that a provider posted, stored until the browser comes back with its cookies. */
export interface FormPost {
  id: string
  /** The fields, as a query string. */
  fields: string
  expiresAt: number
}

/** Input to insert a `FormPost`. Fields with a default may be omitted; `null` means no value. */
export interface FormPostInsert {
  id: string
  fields: string
  expiresAt: number
}

/** Input to replace a `FormPost`: every field except those filled in on write. */
export interface FormPostReplace {
  id: string
  fields: string
  expiresAt: number
}

/** Input to update a `FormPost`: its key and any other fields. `null` clears an optional field. */
export interface FormPostUpdate {
  id: string
  fields?: string
  expiresAt?: number
}

/** The primary key of a `FormPost`. */
export interface FormPostKey {
  id: string
}

export const FormPost: portico.TableDeclaration<FormPost, FormPostInsert, FormPostUpdate, FormPostKey, FormPostReplace> = portico.defineTable({
  name: 'FormPost',
  table: 'auth_form_posts',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'fields', name: 'fields', type: 'string', storage: 'text' },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_form_posts__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A form that a provider posted, stored until the browser comes back with its cookies.',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      fields: { description: 'The fields, as a query string.', type: 'string' },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'fields', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkFormPost,
})

function checkFormPost(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'fields':
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
  it = value['fields']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'fields'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'fields')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}

/** An identity whose owner still has to prove the account with the same address. */
export interface PendingLink {
  id: string
  browserHash: string
  userId: string
  provider: string
  subject: string
  email?: string
  emailVerified?: boolean
  displayName?: string
  avatarUrl?: string
  returnTo: string
  expiresAt: number
}

/** Input to insert a `PendingLink`. Fields with a default may be omitted; `null` means no value. */
export interface PendingLinkInsert {
  id: string
  browserHash: string
  userId: string
  provider: string
  subject: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  returnTo: string
  expiresAt: number
}

/** Input to replace a `PendingLink`: every field except those filled in on write. */
export interface PendingLinkReplace {
  id: string
  browserHash: string
  userId: string
  provider: string
  subject: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  returnTo: string
  expiresAt: number
}

/** Input to update a `PendingLink`: its key and any other fields. `null` clears an optional field. */
export interface PendingLinkUpdate {
  id: string
  browserHash?: string
  userId?: string
  provider?: string
  subject?: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  returnTo?: string
  expiresAt?: number
}

/** The primary key of a `PendingLink`. */
export interface PendingLinkKey {
  id: string
}

export const PendingLink: portico.TableDeclaration<PendingLink, PendingLinkInsert, PendingLinkUpdate, PendingLinkKey, PendingLinkReplace> = portico.defineTable({
  name: 'PendingLink',
  table: 'auth_pending_links',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'browserHash', name: 'browserHash', type: 'string', storage: 'text' },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'provider', name: 'provider', type: 'string', storage: 'text' },
    { path: 'subject', name: 'subject', type: 'string', storage: 'text' },
    { path: 'email', name: 'email', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'emailVerified', name: 'emailVerified', type: 'boolean', storage: 'boolean', nullable: true, optional: true },
    { path: 'displayName', name: 'displayName', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'avatarUrl', name: 'avatarUrl', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'returnTo', name: 'returnTo', type: 'string', storage: 'text' },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_pending_links__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_pending_links__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'An identity whose owner still has to prove the account with the same address.',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      browserHash: { type: 'string' },
      userId: { type: 'string', format: 'uuid' },
      provider: { type: 'string' },
      subject: { type: 'string' },
      email: { type: 'string' },
      emailVerified: { type: 'boolean' },
      displayName: { type: 'string' },
      avatarUrl: { type: 'string' },
      returnTo: { type: 'string' },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'browserHash', 'userId', 'provider', 'subject', 'returnTo', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkPendingLink,
})

function checkPendingLink(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'browserHash':
      case 'userId':
      case 'provider':
      case 'subject':
      case 'email':
      case 'emailVerified':
      case 'displayName':
      case 'avatarUrl':
      case 'returnTo':
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
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
  it = value['provider']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'provider'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'provider')
  it = value['subject']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'subject'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'subject')
  it = value['email']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'email'], 'text')
  }
  it = value['emailVerified']
  if (portico.isPresent(it, mode)) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'emailVerified'], 'true or false')
  }
  it = value['displayName']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'displayName'], 'text')
  }
  it = value['avatarUrl']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'avatarUrl'], 'text')
  }
  it = value['returnTo']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'returnTo'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'returnTo')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}
