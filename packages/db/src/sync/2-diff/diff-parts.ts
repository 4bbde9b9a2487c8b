/** Compares the indexes and foreign keys of a table with the declared ones. Pure. */

import type { ForeignKeySnapshot, IndexSnapshot, TableSnapshot } from '../../contract/snapshot.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf, isSameTable } from '../../values/table-name.ts'
import type { DiffCollector } from './diff-collector.ts'
import type { KeptPart } from './difference.ts'
import { changedColumns, foreignKeyName } from './kept-parts.ts'

/** Indexes and foreign keys that sync created, that are no longer declared, and that are not allowed to be dropped. */
export function undeclaredParts(
  renamed: TableSnapshot,
  target: TableSnapshot,
  managed: TableSnapshot,
  table: string,
  allow: ReadonlySet<string>,
): KeptPart[] {
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  return [
    ...renamed.indexes
      .filter(({ name }) => managed.indexes.some((it) => it.name === name))
      .filter((index) => !target.indexes.some((it) => it.name === index.name || isSameIndex(it, index)))
      .filter(({ name, isValid }) => isValid && !allow.has(`drop ${name}`))
      .map((index): KeptPart => ({ kind: 'index', index })),
    ...renamed.foreignKeys
      .filter((it) => !target.foreignKeys.some((other) => columnsOf(other) === columnsOf(it)))
      .flatMap((it) => {
        const own = managed.foreignKeys.find((other) => columnsOf(other) === columnsOf(it))
        const isAllowed = own && allow.has(`drop ${foreignKeyName(own, table)}`)
        return own && !isAllowed
          ? [{ kind: 'foreignKey', foreignKey: it, name: foreignKeyName(own, table) } as const]
          : []
      }),
  ]
}

export function diffIndexes(
  plan: TablePlan,
  renamed: TableSnapshot,
  target: TableSnapshot,
  managed: TableSnapshot,
  { differences, kept, fail, supports, allow }: DiffCollector,
): void {
  const isManaged = ({ name }: IndexSnapshot): boolean => managed.indexes.some((it) => it.name === name)
  const spare = renamed.indexes.filter((it) => isManaged(it) && !target.indexes.some(({ name }) => name === it.name))
  for (const [position, wanted] of target.indexes.entries()) {
    const index = plan.declaration.indexes[position]!
    const existing = renamed.indexes.find((it) => it.name === wanted.name)
    if (existing && isSameIndex(existing, wanted)) continue
    // An invalid index is left over from a failed build of sync's own.
    if (existing?.isValid && !isManaged(existing)) {
      fail(
        `the index \`${existing.name}\` differs from the declared one and was not created by sync: drop it, or give the declared one another name`,
      )
      continue
    }
    const equalAt = existing || !supports.renameIndex ? -1 : spare.findIndex((it) => isSameIndex(it, wanted))
    if (equalAt >= 0) {
      const [from] = spare.splice(equalAt, 1)
      differences.push({ kind: 'renameIndex', from: from!.name, to: wanted.name })
      continue
    }
    if (existing) differences.push({ kind: 'dropIndex', name: existing.name })
    differences.push({ kind: 'createIndex', index })
  }
  const changed = changedColumns(differences)
  const isReplaced = (index: IndexSnapshot): boolean =>
    index.columns.some((it) => changed.has(it.name)) || target.indexes.some((it) => hasSameColumns(it, index))
  for (const index of spare) {
    if (index.isValid && !allow.has(`drop ${index.name}`) && !isReplaced(index)) kept.push({ kind: 'index', index })
    else differences.push({ kind: 'dropIndex', name: index.name })
  }
}

function isSameIndex(one: IndexSnapshot, other: IndexSnapshot): boolean {
  return one.isValid === other.isValid && one.unique === other.unique && hasSameColumns(one, other)
}

function hasSameColumns(one: IndexSnapshot, other: IndexSnapshot): boolean {
  const columnsOf = ({ columns }: IndexSnapshot): string => columns.map((it) => `${it.name} ${it.order}`).join('\0')
  return columnsOf(one) === columnsOf(other)
}

export function diffForeignKeys(
  plan: TablePlan,
  renamed: TableSnapshot,
  target: TableSnapshot,
  managed: TableSnapshot,
  { differences, kept, allow }: DiffCollector,
): void {
  const left = [...renamed.foreignKeys]
  for (const [position, wanted] of target.foreignKeys.entries()) {
    const found = left.findIndex((it) => isSameForeignKey(it, wanted))
    const [existing] = found >= 0 ? left.splice(found, 1) : []
    if (!existing) differences.push({ kind: 'addForeignKey', foreignKey: plan.declaration.foreignKeys[position]! })
    else if (existing.name !== undefined && existing.name !== wanted.name) {
      differences.push({ kind: 'renameForeignKey', from: existing.name, to: wanted.name! })
    }
  }
  const changed = changedColumns(differences)
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  for (const foreignKey of left) {
    const own = managed.foreignKeys.find((it) => columnsOf(it) === columnsOf(foreignKey))
    if (!own) continue
    const isReplaced = target.foreignKeys.some((it) => columnsOf(it) === columnsOf(foreignKey))
    const isChanged = foreignKey.columns.some((it) => changed.has(it))
    const isAllowed = allow.has(`drop ${foreignKeyName(own, declaredNameOf(plan))}`)
    if (isReplaced || isChanged || isAllowed) differences.unshift({ kind: 'dropForeignKey', foreignKey })
    else kept.push({ kind: 'foreignKey', foreignKey, name: foreignKeyName(own, declaredNameOf(plan)) })
  }
}

function isSameForeignKey(one: ForeignKeySnapshot, other: ForeignKeySnapshot): boolean {
  return (
    isSameTable(one.tableName, other.tableName) &&
    one.columns.join('\0') === other.columns.join('\0') &&
    one.references.join('\0') === other.references.join('\0') &&
    one.onDelete === other.onDelete &&
    one.onUpdate === other.onUpdate
  )
}
