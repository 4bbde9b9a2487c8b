// Compiled with the tests: a public type that changes breaks it.
import { ConfigError, type ConfigErrorCode, defineConfig, EXIT, type PorticoConfig, run } from '@portico/cli'
import { sqlite } from '@portico/db/sqlite'
import { expectTypeOf } from 'vitest'

expectTypeOf(
  defineConfig({ schema: 'schema', database: () => sqlite({ file: 'app.db' }) }),
).toEqualTypeOf<PorticoConfig>()
defineConfig({ schema: ['tables', 'more'] })
// @ts-expect-error an option that does not exist
defineConfig({ schemas: 'schema' })
// @ts-expect-error a database is an adapter, not an address
defineConfig({ database: 'postgres://localhost/app' })

expectTypeOf(run).returns.resolves.toBeNumber()
expectTypeOf(EXIT).toBeObject()
expectTypeOf<ConfigError['code']>().toEqualTypeOf<ConfigErrorCode>()
