import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { CompileResult } from '@portico/schema'
import { listSources } from '../dev/list-sources.ts'
import { findSchemaFiles, type SchemaFiles } from '../files.ts'
import { describeBlocked, isOutdated } from '../generate.ts'
import type { LoadedConfig } from '../load-config.ts'
import { count } from '../shared/count.ts'
import { compareModules, compileWith } from '../stale-modules.ts'
import { foldersAbove } from './check-packages.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function checkProgram({ folder, main, app }: LoadedConfig): Finding {
  for (const [name, path] of Object.entries({ main, app })) {
    if (path !== undefined && !existsSync(resolve(folder, path))) {
      return problem('PROGRAM', `${name} is ${path}, which does not exist`, `correct ${name} in the configuration`)
    }
  }
  return ok('PROGRAM', main === undefined ? 'no program is configured' : `${main} exists`)
}

export interface CheckedSchema {
  readonly findings: readonly Finding[]
  /** Absent if the schema has errors or is missing. */
  readonly result?: CompileResult | undefined
}

export function checkSchema({ folder, schema = [] }: LoadedConfig): CheckedSchema {
  const paths = typeof schema === 'string' ? [schema] : schema
  const missing = paths.find((it) => !existsSync(resolve(folder, it)))
  if (missing !== undefined) {
    const message = `schema path ${missing} does not exist`
    return { findings: [problem('SCHEMA', message, 'correct schema in the configuration')] }
  }
  const found = findSchemaFiles(folder, paths)
  if (found.files.length === 0) {
    return {
      findings: [warning('SCHEMA', 'no schema files found', 'declare a table in a file such as notes.portico')],
    }
  }
  const result = compileWith(folder, found, 'js')
  const [first] = result.diagnostics.filter((it) => it.severity === 'error')
  if (first) {
    const place = `${first.path}:${first.start.line}:${first.start.column}`
    return { findings: [problem('SCHEMA', `${place} ${first.message}`, 'run `portico check` to see all problems')] }
  }
  const fine = ok('SCHEMA', `${count(found.files.length, 'schema file')}`)
  return { findings: [fine, checkModules(folder, found, result)], result }
}

function checkModules(folder: string, found: SchemaFiles, result: CompileResult): Finding {
  const outcome = compareModules(folder, found, result)
  const { stale, orphaned, blocked } = outcome
  if (!isOutdated(outcome)) return ok('MODULES', `${count(result.modules.length, 'module')}`)
  const problems = [
    ...stale.map((it) => `${it} is missing or out of date`),
    ...orphaned.map((it) => `${it} is left over (its schema file no longer exists)`),
    ...blocked.map(describeBlocked),
  ]
  return problem('MODULES', problems.join('; '), 'run `portico generate`')
}

const flags = ['experimentalDecorators', 'emitDecoratorMetadata'] as const

/** Without these flags, parameter decorators do not compile, and controllers get no parameter types. */
export function checkDecorators({ folder }: LoadedConfig): Finding {
  const user = findDecorated(folder)
  if (user === undefined) return ok('DECORATORS', 'no controller uses decorators')
  const file = join(folder, 'tsconfig.json')
  const lines = (names: readonly string[]): string => names.map((it) => `"${it}": true`).join(', ')
  const fix = (names: readonly string[]): string => `add ${lines(names)} to compilerOptions in tsconfig.json`
  if (!existsSync(file))
    return problem('DECORATORS', `${user} uses decorators, but there is no tsconfig.json`, fix(flags))
  const compiler = foldersAbove(folder)
    .map((it) => join(it, 'node_modules', 'typescript', 'bin', 'tsc'))
    .find((it) => existsSync(it))
  if (compiler === undefined) {
    return warning(
      'DECORATORS',
      'TypeScript is not installed, so the settings cannot be checked',
      'run `npm install -D typescript`',
    )
  }
  // The compiler resolves `extends` for us.
  const shown = spawnSync(process.execPath, [compiler, '--showConfig', '-p', file], { encoding: 'utf8' })
  const options = readCompilerOptions(shown.stdout)
  if (!options)
    return problem('DECORATORS', `tsconfig.json cannot be read: ${shown.stdout.trim()}`, 'correct tsconfig.json')
  const missing = flags.filter((it) => options[it] !== true)
  if (missing.length === 0) return ok('DECORATORS', 'tsconfig.json enables decorators')
  return problem(
    'DECORATORS',
    `${user} uses decorators, but tsconfig.json lacks ${missing.join(' and ')}`,
    fix(missing),
  )
}

function readCompilerOptions(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(text) as { compilerOptions?: Record<string, unknown> }).compilerOptions ?? {}
  } catch {
    return undefined
  }
}

/** A TypeScript file with a decorated controller, if there is one. */
function findDecorated(folder: string): string | undefined {
  const found = [...listSources([folder]).stamps.keys()].find((path) => {
    if (!/\.[cm]?tsx?$/.test(path) || path.endsWith('.portico.ts')) return false
    const text = readFileSync(path, 'utf8')
    return /from '@portico\/(http|spec)'|from "@portico\/(http|spec)"/.test(text) && /^\s*@[A-Z]\w*\(/m.test(text)
  })
  return found === undefined ? undefined : relative(folder, found)
}
