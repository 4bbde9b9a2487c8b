import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Controllers rely on legacy decorators with emitted parameter types.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
    // One module graph per worker: 30 files take 1.5 s instead of 11.
    isolate: false,
    // Vitest leaves one core to itself, which on two would mean one file after the other, half of the time waiting.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './scripts/closing-reporter.mjs'],
    // The OpenID provider warns that it keeps its state in memory, which is fine in a test.
    onConsoleLog: (log) => !log.startsWith('oidc-provider WARNING'),
    // Processes and browsers take their time: only what is out of the ordinary is worth a line.
    slowTestThreshold: 5_000,
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    coverage: { include: ['packages/*/src/**'] },
  },
})
