// Compiled with the tests: a public type that changes breaks it.
import {
  type AuthServer,
  AuthServerError,
  type AuthServerErrorCode,
  type AuthServerOptions,
  authTables,
  createAuthServer,
  type Principal,
  type VerifiedToken,
} from '@portico/auth-server'
import type { Database } from '@portico/db'
import type { HttpRequest } from '@portico/http'
import type { IdentityProvider } from '@portico/identity'
import type { AnyTable } from '@portico/schema/runtime'
import { expectTypeOf } from 'vitest'

declare const db: Database
declare const provider: IdentityProvider
declare const request: HttpRequest

const auth = createAuthServer({
  db,
  baseUrl: 'https://app.example',
  secret: 'x'.repeat(32),
  providers: [provider],
  scopes: { tasks: 'See and change your tasks' },
  clients: undefined,
})
expectTypeOf(auth).toEqualTypeOf<AuthServer>()
expectTypeOf(auth.userId(request)).toEqualTypeOf<string>()
expectTypeOf(auth.guards.principal.require(request)).toEqualTypeOf<Principal>()
expectTypeOf(auth.verifyToken('token')).resolves.toEqualTypeOf<VerifiedToken | undefined>()
expectTypeOf(authTables).toExtend<readonly AnyTable[]>()

// A guard, and a function that makes one.
auth.guards.signedIn('tasks')
expectTypeOf(auth.guards.signedIn(request)).resolves.toBeVoid()
// @ts-expect-error a scope is text
auth.guards.bearer(7)
// @ts-expect-error the secret is missing
createAuthServer({ db, baseUrl: 'https://app.example', providers: [] })

expectTypeOf<AuthServerOptions>().toHaveProperty('providers')
expectTypeOf<AuthServerError['code']>().toEqualTypeOf<AuthServerErrorCode>()
