// Compiled with the tests, so that a change to a public type fails.
import {
  AuthorizeError,
  type AuthorizeErrorCode,
  type AuthorizeOptions,
  type AuthorizeResult,
  authorize,
} from '@portico/login'
import { expectTypeOf } from 'vitest'

expectTypeOf(authorize).toEqualTypeOf<(options: AuthorizeOptions) => Promise<AuthorizeResult>>()

expectTypeOf<AuthorizeOptions>().toEqualTypeOf<
  Readonly<{
    authorizeUrl: string
    tokenUrl: string
    clientId?: string | undefined
    scope?: string[] | undefined
    openBrowser?: boolean | undefined
    onUrl?: ((url: string) => void) | undefined
    statusUrl?: string | undefined
    timeoutMs?: number | undefined
    signal?: AbortSignal | undefined
    expectedIssuer?: string | undefined
  }>
>()

expectTypeOf<AuthorizeResult>().toEqualTypeOf<{
  accessToken: string
  expiresIn?: number
  idToken?: string
  userId?: string
}>()

expectTypeOf<AuthorizeErrorCode>().toEqualTypeOf<
  'provider_denied' | 'state_mismatch' | 'exchange_failed' | 'timeout' | 'status_check_failed'
>()
expectTypeOf<AuthorizeError>().toExtend<Error>()
expectTypeOf<AuthorizeError['code']>().toEqualTypeOf<AuthorizeErrorCode>()

declare const error: AuthorizeError
// @ts-expect-error the code is read-only
error.code = 'timeout'
