import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { CompileResult } from '@portico/schema'
import { listSources } from '../dev/list-sources.ts'
import { findSchemaFiles, type SchemaFiles } from '../files.ts'
import { describeBlocked, isBehind } from '../generate.ts'
import type { LoadedConfig } from '../load-config.ts'
import { count } from '../shared/count.ts'
import { compareModules, compileWith } from '../stale-modules.ts'
import { foldersAbove } from './check-packages.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function checkProgram({ folder, main, app }: LoadedConfig): Finding {
  for (const [name, path] of Object.entries({ main, app })) {
    if (path !== undefined && !existsSync(resolve(folder, path))) {
      return problem('PROGRAM', `${name} names ${path}, which is not there`, `mend ${name} in the configuration`)
    }
  }
  return ok('PROGRAM', main === undefined ? 'no program is named' : `${main} is there`)
}

/** The schema files of a project and what the compiler makes of them. */
export interface CheckedSchema {
  readonly findings: readonly Finding[]
  /** Absent where there is nothing to go on with. */
  readonly result?: CompileResult
}

export function checkSchema({ folder, schema = [] }: LoadedConfig): CheckedSchema {
  const paths = typeof schema === 'string' ? [schema] : schema
  const missing = paths.find((it) => !existsSync(resolve(folder, it)))
  if (missing !== undefined) {
    const told = `schema names ${missing}, which is not there`
    return { findings: [problem('SCHEMA', told, 'mend schema in the configuration')] }
  }
  const found = findSchemaFiles(folder, paths)
  if (found.files.length === 0) {
    return {
      findings: [warning('SCHEMA', 'there are no schema files', 'declare a table in a file such as notes.portico')],
    }
  }
  const result = compileWith(folder, found, 'js')
  const [first] = result.diagnostics.filter((it) => it.severity === 'error')
  if (first) {
    const place = `${first.path}:${first.start.line}:${first.start.column}`
    return { findings: [problem('SCHEMA', `${place} ${first.message}`, 'run `portico check` to see all of it')] }
  }
  const fine = ok('SCHEMA', `${count(found.files.length, 'schema file')}`)
  return { findings: [fine, checkModules(folder, found, result)], result }
}

function checkModules(folder: string, found: SchemaFiles, result: CompileResult): Finding {
  const outcome = compareModules(folder, found, result)
  const { stale, orphaned, blocked } = outcome
  if (!isBehind(outcome)) return ok('MODULES', `${count(result.modules.length, 'module')}`)
  const problems = [
    ...stale.map((it) => `${it} is missing or stale`),
    ...orphaned.map((it) => `${it} is left over, its schema file is gone`),
    ...blocked.map(describeBlocked),
  ]
  return problem('MODULES', problems.join('; '), 'run `portico generate`')
}

const flags = ['experimentalDecorators', 'emitDecoratorMetadata'] as const

/** Without these, decorators with parameters do not compile, and controllers do not learn the types of their arguments. */
export function checkDecorators({ folder }: LoadedConfig): Finding {
  const user = findDecorated(folder)
  if (user === undefined) return ok('DECORATORS', 'no controller is written with decorators')
  const file = join(folder, 'tsconfig.json')
  const lines = (names: readonly string[]): string => names.map((it) => `"${it}": true`).join(', ')
  const mend = (names: readonly string[]): string => `add ${lines(names)} to compilerOptions in tsconfig.json`
  if (!existsSync(file))
    return problem('DECORATORS', `${user} uses decorators, and there is no tsconfig.json`, mend(flags))
  const compiler = foldersAbove(folder)
    .map((it) => join(it, 'node_modules', 'typescript', 'bin', 'tsc'))
    .find((it) => existsSync(it))
  if (compiler === undefined) {
    return warning(
      'DECORATORS',
      'TypeScript is not installed, so nothing can be told',
      'run `npm install -D typescript`',
    )
  }
  // The compiler itself knows best what all that a configuration extends comes to.
  const shown = spawnSync(process.execPath, [compiler, '--showConfig', '-p', file], { encoding: 'utf8' })
  const options = readCompilerOptions(shown.stdout)
  if (!options)
    return problem('DECORATORS', `tsconfig.json cannot be read: ${shown.stdout.trim()}`, 'mend tsconfig.json')
  const missing = flags.filter((it) => options[it] !== true)
  if (missing.length === 0) return ok('DECORATORS', 'tsconfig.json switches decorators on')
  return problem(
    'DECORATORS',
    `${user} uses decorators, and tsconfig.json lacks ${missing.join(' and ')}`,
    mend(missing),
  )
}

function readCompilerOptions(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(text) as { compilerOptions?: Record<string, unknown> }).compilerOptions ?? {}
  } catch {
    return undefined
  }
}

/** A TypeScript file in which a controller is decorated, if there is one. */
function findDecorated(folder: string): string | undefined {
  const found = [...listSources([folder]).stamps.keys()].find((path) => {
    if (!/\.[cm]?tsx?$/.test(path) || path.endsWith('.portico.ts')) return false
    const text = readFileSync(path, 'utf8')
    return /from '@portico\/(http|spec)'|from "@portico\/(http|spec)"/.test(text) && /^\s*@[A-Z]\w*\(/m.test(text)
  })
  return found === undefined ? undefined : relative(folder, found)
}
