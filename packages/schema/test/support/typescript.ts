import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

/** Compiles the TypeScript files of a folder into `out` as strictly as TypeScript can; returns what it complains about. */
export function compileTypeScript(folder: string, files: readonly string[]): string {
  const strictness = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitReturns']
  const unused = ['--noUnusedLocals', '--noUnusedParameters', '--noFallthroughCasesInSwitch']
  const emit = [
    '--isolatedDeclarations',
    '--declaration',
    '--verbatimModuleSyntax',
    '--outDir',
    'out',
    '--rootDir',
    '.',
  ]
  const target = ['--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', '--types', '']
  const strict = [...strictness, ...unused, '--noPropertyAccessFromIndexSignature', ...emit, ...target]
  const result = spawnSync(process.execPath, [compiler, '--ignoreConfig', ...strict, ...files], {
    cwd: folder,
    encoding: 'utf8',
  })
  return result.stdout + result.stderr
}
