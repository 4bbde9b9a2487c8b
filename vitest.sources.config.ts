import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

// `npm run test:watch`: tests import the sources of the packages instead of their build. Programs that a test starts
// as a process still run on the last build.
const root = import.meta.dirname

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
}

const manifests = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => {
    const folder = join(root, group, name)
    return { folder, ...(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest) }
  }),
)

const entries = manifests.flatMap(({ folder, name, exports = {} }) =>
  Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : { find: new RegExp(`^${name}${subpath.slice(1)}$`), replacement: sourceOf(join(folder, target.default)) },
  ),
)

function sourceOf(built: string): string {
  return built.replace('/dist/', '/src/').replace(/\.js$/, '.ts')
}

export default mergeConfig(
  config,
  defineConfig({
    plugins: [
      {
        // The files of the API docs page are not sources: packages/spec/scripts/after-build.mjs puts them into dist.
        name: 'assets-of-the-docs-page',
        enforce: 'pre',
        transform: (code, id) =>
          id.endsWith('/packages/spec/src/ui/assets.ts')
            ? code.replace("'./assets/'", "'../../dist/ui/assets/'")
            : undefined,
      },
    ],
    resolve: {
      alias: [
        ...entries,
        // Tests of a package may import a file of its build.
        { find: /^((?:\.\.\/)+(?:packages\/[\w-]+\/)?)dist\/(.+)\.js$/, replacement: '$1src/$2.ts' },
      ],
    },
  }),
)
