/** Indexes and foreign keys of a table beside those that are declared. Pure. */
import type { TablePlan } from '../../contract/plan.ts'
import { type ForeignKeySnapshot, type IndexSnapshot, type TableSnapshot } from '../../contract/snapshot.ts'
import { declaredNameOf, isSameTable } from '../../values/table-name.ts'
import type { Found } from './diff.ts'
import { type KeptPart, linkName, movingColumns } from './kept.ts'

/** Indexes and foreign keys that sync made, that nothing declares any more, and that nobody lets go. */
export function hangingOn(
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  table: string,
  allow: ReadonlySet<string>,
): KeptPart[] {
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  return [
    ...renamed.indexes
      .filter(({ name }) => made.indexes.some((it) => it.name === name))
      .filter((index) => !target.indexes.some((it) => it.name === index.name || isSameIndex(it, index)))
      .filter(({ name, isValid }) => isValid && !allow.has(`drop ${name}`))
      .map((index): KeptPart => ({ kind: 'index', index })),
    ...renamed.foreignKeys
      .filter((it) => !target.foreignKeys.some((other) => columnsOf(other) === columnsOf(it)))
      .flatMap((it) => {
        const own = made.foreignKeys.find((other) => columnsOf(other) === columnsOf(it))
        const isAllowed = own && allow.has(`drop ${linkName(own, table)}`)
        return own && !isAllowed ? [{ kind: 'foreignKey', foreignKey: it, name: linkName(own, table) } as const] : []
      }),
  ]
}

export function diffIndexes(
  plan: TablePlan,
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  { found, kept, fail, supports, allow }: Found,
): void {
  const isMade = ({ name }: IndexSnapshot): boolean => made.indexes.some((it) => it.name === name)
  const spare = renamed.indexes.filter((it) => isMade(it) && !target.indexes.some(({ name }) => name === it.name))
  for (const [position, wanted] of target.indexes.entries()) {
    const index = plan.declaration.indexes[position]!
    const existing = renamed.indexes.find((it) => it.name === wanted.name)
    if (existing && isSameIndex(existing, wanted)) continue
    // What is left of a build that failed is no index yet, and nobody else builds one of this name.
    if (existing?.isValid && !isMade(existing)) {
      fail(
        `sync did not make the index \`${existing.name}\`, which is another one than declared: remove it, or name the declared one otherwise`,
      )
      continue
    }
    const twin = existing || !supports.renameIndex ? -1 : spare.findIndex((it) => isSameIndex(it, wanted))
    if (twin >= 0) {
      const [from] = spare.splice(twin, 1)
      found.push({ kind: 'renameIndex', from: from!.name, to: wanted.name })
      continue
    }
    if (existing) found.push({ kind: 'dropIndex', name: existing.name })
    found.push({ kind: 'createIndex', index })
  }
  const moving = movingColumns(found)
  const isReplaced = (index: IndexSnapshot): boolean =>
    index.columns.some((it) => moving.has(it.name)) || target.indexes.some((it) => hasSameColumns(it, index))
  for (const index of spare) {
    if (index.isValid && !allow.has(`drop ${index.name}`) && !isReplaced(index)) kept.push({ kind: 'index', index })
    else found.push({ kind: 'dropIndex', name: index.name })
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
  made: TableSnapshot,
  { found, kept, allow }: Found,
): void {
  const left = [...renamed.foreignKeys]
  for (const [position, wanted] of target.foreignKeys.entries()) {
    const place = left.findIndex((it) => isSameForeignKey(it, wanted))
    const [existing] = place >= 0 ? left.splice(place, 1) : []
    if (!existing) found.push({ kind: 'addForeignKey', foreignKey: plan.declaration.foreignKeys[position]! })
    else if (existing.name !== undefined && existing.name !== wanted.name) {
      found.push({ kind: 'renameForeignKey', from: existing.name, to: wanted.name! })
    }
  }
  const moving = movingColumns(found)
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  for (const foreignKey of left) {
    const own = made.foreignKeys.find((it) => columnsOf(it) === columnsOf(foreignKey))
    if (!own) continue
    const isReplaced = target.foreignKeys.some((it) => columnsOf(it) === columnsOf(foreignKey))
    const isMoving = foreignKey.columns.some((it) => moving.has(it))
    const isAllowed = allow.has(`drop ${linkName(own, declaredNameOf(plan))}`)
    if (isReplaced || isMoving || isAllowed) found.unshift({ kind: 'dropForeignKey', foreignKey })
    else kept.push({ kind: 'foreignKey', foreignKey, name: linkName(own, declaredNameOf(plan)) })
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
