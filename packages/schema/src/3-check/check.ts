import type { Declaration, FileModel, TableModel } from '../model.ts'
import { buildTables } from './build-model.ts'
import { inheritFields } from './inherit.ts'
import { resolveTypes } from './resolve.ts'
import { createScopes, type FileScope, type FileToCheck, isEntry } from './scope.ts'

/** Checks files together and returns their models in the same order. `known` holds files checked before, without errors. */
export function check(files: readonly FileToCheck[], known: ReadonlyMap<string, FileModel>): FileModel[] {
  const scopes = createScopes(files, known)
  inheritFields(scopes)
  resolveTypes(scopes)
  for (const scope of scopes) checkGeneratedNames(scope)
  const tables = buildTables(scopes, known)
  return scopes.map(({ syntax, entries }) => ({
    path: syntax.source.path,
    declarations: entries.flatMap(({ declaration }) => (declaration ? withTable(declaration, tables) : [])),
  }))
}

function withTable(declaration: Declaration, tables: ReadonlyMap<Declaration, TableModel>): Declaration {
  const table = tables.get(declaration)
  return table ? { ...declaration, table } : declaration
}

/** The names that a generated module adds to the declared ones. */
export function generatedNames({ name, kind, type }: Pick<Declaration, 'name' | 'kind' | 'type'>): string[] {
  const always = [`check${name}`]
  if (kind !== 'table') return always
  const inputs = [`${name}Insert`, `${name}Replace`, `${name}Update`, `${name}Key`]
  const hasRelations = type.kind === 'object' && type.fields.some((it) => it.role === 'navigation')
  return [...always, ...inputs, ...(hasRelations ? [`${name}Relations`] : [])]
}

function checkGeneratedNames(scope: FileScope): void {
  const { entries, names, report } = scope
  for (const { declaration, name } of entries) {
    for (const generated of declaration ? generatedNames(declaration) : []) {
      const owner = names.get(generated)
      if (owner === undefined || !isEntry(owner) || owner.scope !== scope) continue
      report.add('generated_name_taken', owner.syntax.name.span, generated, name)
    }
  }
}
