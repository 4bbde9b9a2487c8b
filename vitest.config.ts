import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Controllers rely on legacy decorators with emitted parameter types.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
    // One module graph per worker: 30 files take 1.5 s instead of 11.
    isolate: false,
    reporters: ['default', './scripts/closing-reporter.mjs'],
    // The OpenID provider of the tests warns that it keeps its state in memory; here it should.
    onConsoleLog: (log) => !log.startsWith('oidc-provider WARNING'),
    // Real processes and browsers take their time; only what is out of the ordinary is worth a line.
    slowTestThreshold: 5_000,
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    coverage: { include: ['packages/*/src/**'] },
  },
})
