// Generated from accounts.portico by `portico generate`. Do not edit: change accounts.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'accounts.portico.ts')

/** A person with an account here. */
export interface User {
  id: string
  username: string
  email?: string
  /** The address with ASCII letters folded, for comparison. */
  emailFolded?: string
  emailVerified: boolean
  displayName?: string
  /** False until the first identity is linked, and while the account is disabled. */
  active: boolean
  disabledAt?: number
  /** Set when the person, or the application for them, chose the address: providers no longer change it. */
  emailSetAt?: number
  /** The same for the name. */
  nameSetAt?: number
  /**
   * True for an account whose person has not signed in yet. The first sign-in with the verified address completes it.
   */
  provisioned?: boolean
  /** Expiry of the invitation to this account. */
  invitedUntil?: number
  /** The roles of the person, such as `admin`; absent if the person has none. */
  roles?: string[]
  /** Sessions, codes and tokens that started before this time are not valid. */
  endedAt?: number
  createdAt: number
}

/** Input to insert a `User`. Fields with a default may be omitted; `null` means no value. */
export interface UserInsert {
  id?: string
  username: string
  email?: string | null
  emailFolded?: string | null
  emailVerified: boolean
  displayName?: string | null
  active: boolean
  disabledAt?: number | null
  emailSetAt?: number | null
  nameSetAt?: number | null
  provisioned?: boolean | null
  invitedUntil?: number | null
  roles?: string[] | null
  endedAt?: number | null
  createdAt: number
}

/** Input to replace a `User`: every field except those filled in on write. */
export interface UserReplace {
  id: string
  username: string
  email?: string | null
  emailFolded?: string | null
  emailVerified: boolean
  displayName?: string | null
  active: boolean
  disabledAt?: number | null
  emailSetAt?: number | null
  nameSetAt?: number | null
  provisioned?: boolean | null
  invitedUntil?: number | null
  roles?: string[] | null
  endedAt?: number | null
  createdAt: number
}

/** Input to update a `User`: its key and any other fields. `null` clears an optional field. */
export interface UserUpdate {
  id: string
  username?: string
  email?: string | null
  emailFolded?: string | null
  emailVerified?: boolean
  displayName?: string | null
  active?: boolean
  disabledAt?: number | null
  emailSetAt?: number | null
  nameSetAt?: number | null
  provisioned?: boolean | null
  invitedUntil?: number | null
  roles?: string[] | null
  endedAt?: number | null
  createdAt?: number
}

/** The primary key of a `User`. */
export interface UserKey {
  id: string
}

export const User: portico.TableDeclaration<User, UserInsert, UserUpdate, UserKey, UserReplace> = portico.defineTable({
  name: 'User',
  table: 'auth_users',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true, default: { kind: 'uuid' } },
    { path: 'username', name: 'username', type: 'string', storage: 'text', expect: { maxLength: 512 } },
    { path: 'email', name: 'email', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'emailFolded', name: 'emailFolded', type: 'string', storage: 'text', nullable: true, optional: true, expect: { maxLength: 512 } },
    { path: 'emailVerified', name: 'emailVerified', type: 'boolean', storage: 'boolean' },
    { path: 'displayName', name: 'displayName', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'active', name: 'active', type: 'boolean', storage: 'boolean' },
    { path: 'disabledAt', name: 'disabledAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'emailSetAt', name: 'emailSetAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'nameSetAt', name: 'nameSetAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'provisioned', name: 'provisioned', type: 'boolean', storage: 'boolean', nullable: true, optional: true },
    { path: 'invitedUntil', name: 'invitedUntil', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'roles', name: 'roles', type: 'json', storage: 'json', shape: 'array', element: 'string', nullable: true, optional: true },
    { path: 'endedAt', name: 'endedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_users__username', unique: true, columns: [{ path: 'username', column: 'username', order: 'asc' }] },
    { name: 'auth_users__emailFolded', unique: false, columns: [{ path: 'emailFolded', column: 'emailFolded', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A person with an account here.',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      username: { type: 'string', maxLength: 512 },
      email: { type: 'string' },
      emailFolded: {
        description: 'The address with ASCII letters folded, for comparison.',
        type: 'string',
        maxLength: 512,
      },
      emailVerified: { type: 'boolean' },
      displayName: { type: 'string' },
      active: {
        description: 'False until the first identity is linked, and while the account is disabled.',
        type: 'boolean',
      },
      disabledAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      emailSetAt: {
        description: 'Set when the person, or the application for them, chose the address: providers no longer change it.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      nameSetAt: {
        description: 'The same for the name.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      provisioned: {
        description: 'True for an account whose person has not signed in yet. The first sign-in with the verified address completes it.',
        type: 'boolean',
      },
      invitedUntil: {
        description: 'Expiry of the invitation to this account.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      roles: {
        description: 'The roles of the person, such as `admin`; absent if the person has none.',
        type: 'array',
        items: { type: 'string' },
      },
      endedAt: {
        description: 'Sessions, codes and tokens that started before this time are not valid.',
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'username', 'emailVerified', 'active', 'createdAt'],
    additionalProperties: false,
  },
  check: checkUser,
})

function checkUser(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'username':
      case 'email':
      case 'emailFolded':
      case 'emailVerified':
      case 'displayName':
      case 'active':
      case 'disabledAt':
      case 'emailSetAt':
      case 'nameSetAt':
      case 'provisioned':
      case 'invitedUntil':
      case 'roles':
      case 'endedAt':
      case 'createdAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['username']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'username'], 'text')
    else {
      if (portico.lengthOf(it) > 512) portico.broken(issues, [...path, 'username'], 'maxLength', 'expected a length of at most 512')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'username')
  it = value['email']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'email'], 'text')
  }
  it = value['emailFolded']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'emailFolded'], 'text')
    else {
      if (portico.lengthOf(it) > 512) portico.broken(issues, [...path, 'emailFolded'], 'maxLength', 'expected a length of at most 512')
    }
  }
  it = value['emailVerified']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'emailVerified'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'emailVerified')
  it = value['displayName']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'displayName'], 'text')
  }
  it = value['active']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'active'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'active')
  it = value['disabledAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'disabledAt'], 'a whole number')
  }
  it = value['emailSetAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'emailSetAt'], 'a whole number')
  }
  it = value['nameSetAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'nameSetAt'], 'a whole number')
  }
  it = value['provisioned']
  if (portico.isPresent(it, mode)) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'provisioned'], 'true or false')
  }
  it = value['invitedUntil']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'invitedUntil'], 'a whole number')
  }
  it = value['roles']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'roles'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'roles', index], 'text')
      }
    }
  }
  it = value['endedAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'endedAt'], 'a whole number')
  }
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'createdAt')
}

/** An identity at a provider, linked to a user. */
export interface Identity {
  id: string
  provider: string
  subject: string
  userId: string
  email?: string
  emailVerified?: boolean
  displayName?: string
  avatarUrl?: string
  linkedAt: number
  lastLoginAt?: number
}

/** Input to insert an `Identity`. Fields with a default may be omitted; `null` means no value. */
export interface IdentityInsert {
  id?: string
  provider: string
  subject: string
  userId: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  linkedAt: number
  lastLoginAt?: number | null
}

/** Input to replace an `Identity`: every field except those filled in on write. */
export interface IdentityReplace {
  id: string
  provider: string
  subject: string
  userId: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  linkedAt: number
  lastLoginAt?: number | null
}

/** Input to update an `Identity`: its key and any other fields. `null` clears an optional field. */
export interface IdentityUpdate {
  id: string
  provider?: string
  subject?: string
  userId?: string
  email?: string | null
  emailVerified?: boolean | null
  displayName?: string | null
  avatarUrl?: string | null
  linkedAt?: number
  lastLoginAt?: number | null
}

/** The primary key of an `Identity`. */
export interface IdentityKey {
  id: string
}

export const Identity: portico.TableDeclaration<Identity, IdentityInsert, IdentityUpdate, IdentityKey, IdentityReplace> = portico.defineTable({
  name: 'Identity',
  table: 'auth_identities',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true, default: { kind: 'uuid' } },
    { path: 'provider', name: 'provider', type: 'string', storage: 'text', expect: { maxLength: 255 } },
    { path: 'subject', name: 'subject', type: 'string', storage: 'text', expect: { maxLength: 255 } },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'email', name: 'email', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'emailVerified', name: 'emailVerified', type: 'boolean', storage: 'boolean', nullable: true, optional: true },
    { path: 'displayName', name: 'displayName', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'avatarUrl', name: 'avatarUrl', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'linkedAt', name: 'linkedAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'lastLoginAt', name: 'lastLoginAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
  ],
  indexes: [
    { name: 'auth_identities__auth_identities_subject', unique: true, columns: [{ path: 'provider', column: 'provider', order: 'asc' }, { path: 'subject', column: 'subject', order: 'asc' }] },
    { name: 'auth_identities__userId', unique: false, columns: [{ path: 'userId', column: 'userId', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_identities__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'An identity at a provider, linked to a user.',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      provider: { type: 'string', maxLength: 255 },
      subject: { type: 'string', maxLength: 255 },
      userId: { type: 'string', format: 'uuid' },
      email: { type: 'string' },
      emailVerified: { type: 'boolean' },
      displayName: { type: 'string' },
      avatarUrl: { type: 'string' },
      linkedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      lastLoginAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'provider', 'subject', 'userId', 'linkedAt'],
    additionalProperties: false,
  },
  check: checkIdentity,
})

function checkIdentity(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'provider':
      case 'subject':
      case 'userId':
      case 'email':
      case 'emailVerified':
      case 'displayName':
      case 'avatarUrl':
      case 'linkedAt':
      case 'lastLoginAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['provider']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'provider'], 'text')
    else {
      if (portico.lengthOf(it) > 255) portico.broken(issues, [...path, 'provider'], 'maxLength', 'expected a length of at most 255')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'provider')
  it = value['subject']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'subject'], 'text')
    else {
      if (portico.lengthOf(it) > 255) portico.broken(issues, [...path, 'subject'], 'maxLength', 'expected a length of at most 255')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'subject')
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
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
  it = value['linkedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'linkedAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'linkedAt')
  it = value['lastLoginAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'lastLoginAt'], 'a whole number')
  }
}

/** A single-use link that completes the account of an invited person. */
export interface Invitation {
  /** SHA-256 of the token in the link. */
  id: string
  userId: string
  expiresAt: number
}

/** Input to insert an `Invitation`. Fields with a default may be omitted; `null` means no value. */
export interface InvitationInsert {
  id: string
  userId: string
  expiresAt: number
}

/** Input to replace an `Invitation`: every field except those filled in on write. */
export interface InvitationReplace {
  id: string
  userId: string
  expiresAt: number
}

/** Input to update an `Invitation`: its key and any other fields. `null` clears an optional field. */
export interface InvitationUpdate {
  id: string
  userId?: string
  expiresAt?: number
}

/** The primary key of an `Invitation`. */
export interface InvitationKey {
  id: string
}

export const Invitation: portico.TableDeclaration<Invitation, InvitationInsert, InvitationUpdate, InvitationKey, InvitationReplace> = portico.defineTable({
  name: 'Invitation',
  table: 'auth_invitations',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true, expect: { maxLength: 64 } },
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'expiresAt', name: 'expiresAt', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
  ],
  indexes: [
    { name: 'auth_invitations__userId', unique: false, columns: [{ path: 'userId', column: 'userId', order: 'asc' }] },
    { name: 'auth_invitations__expiresAt', unique: false, columns: [{ path: 'expiresAt', column: 'expiresAt', order: 'asc' }] },
  ],
  foreignKeys: [
    { name: 'userId', constraint: 'auth_invitations__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'auth_users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A single-use link that completes the account of an invited person.',
    type: 'object',
    properties: {
      id: { description: 'SHA-256 of the token in the link.', type: 'string', maxLength: 64 },
      userId: { type: 'string', format: 'uuid' },
      expiresAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'userId', 'expiresAt'],
    additionalProperties: false,
  },
  check: checkInvitation,
})

function checkInvitation(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'userId':
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
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'userId')
  it = value['expiresAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'expiresAt'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'expiresAt')
}
