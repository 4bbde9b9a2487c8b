import type { Field, FieldNavigation, ForeignKey, Relation, RelationPair } from '../model.ts'
import type { Span } from '../source.ts'
import { placeOfMember, type TableDraft } from './tables.ts'

export interface KnownForeignKeys {
  readonly keys: readonly ForeignKey[]
  /** True if some foreign keys were rejected. Missing ones are not reported then. */
  readonly incomplete: boolean
}

export type FindForeignKeys = (path: string, name: string) => KnownForeignKeys

interface Navigation {
  readonly draft: TableDraft
  readonly field: Field
  readonly target: string
  readonly many: boolean
  readonly span: Span
  readonly wanted: string | undefined
}

/** Finds the foreign keys that the navigation fields follow. */
export function buildRelations(draft: TableDraft, find: FindForeignKeys): Relation[] {
  return draft.fields.flatMap((field) => (field.role === 'navigation' ? (buildRelation(draft, field, find) ?? []) : []))
}

function buildRelation(draft: TableDraft, field: Field, find: FindForeignKeys): Relation | undefined {
  if (field.type.kind !== 'records' || !field.navigation) return undefined
  const { table: target, path, many } = field.type
  const { kind, foreignKey: wanted } = field.navigation
  const { span } = placeOfMember(draft.entry, draft.entry.members.get(field.name))
  const navigation: Navigation = { draft, field, target, many, span, wanted }
  if (kind === 'via') return buildVia(navigation, field.navigation.junction, find)
  const here = draft.entry.name
  const own = kind === 'to'
  const known = find(own ? draft.declaration.path : path, own ? here : target)
  const key = chooseKey(navigation, known, own ? here : target, own ? target : here, wanted)
  return key && { name: field.name, kind, target, many, on: own ? pairs(key) : flip(pairs(key)) }
}

function buildVia(
  navigation: Navigation,
  junction: FieldNavigation['junction'],
  find: FindForeignKeys,
): Relation | undefined {
  const { draft, field, target, many, wanted } = navigation
  if (!junction) return undefined
  const known = find(junction.path, junction.table)
  const here = chooseKey(navigation, known, junction.table, draft.entry.name, wanted)
  const others = { ...known, keys: known.keys.filter((it) => it !== here) }
  const there = here && chooseKey(navigation, others, junction.table, target, undefined)
  if (!here || !there) return undefined
  const via = { junction: junction.table, on: pairs(there) }
  return { name: field.name, kind: 'via', target, many, on: flip(pairs(here)), via }
}

function chooseKey(
  { draft, span }: Navigation,
  { keys, incomplete }: KnownForeignKeys,
  from: string,
  to: string,
  wanted: string | undefined,
): ForeignKey | undefined {
  const fitting = keys.filter((it) => it.references.declaration === to && (wanted === undefined || it.name === wanted))
  if (fitting.length === 0 && !incomplete) {
    const names = keys.filter((it) => it.references.declaration === to).map((it) => it.name)
    draft.report.add('relation_unknown', span, from, to, wanted, names)
  }
  if (fitting.length > 1)
    draft.report.add(
      'relation_ambiguous',
      span,
      from,
      to,
      fitting.map((it) => it.name),
    )
  return fitting.length === 1 ? fitting[0] : undefined
}

function pairs({ paths, references }: ForeignKey): RelationPair[] {
  return paths.map((here, index) => ({ here, there: references.paths[index]! }))
}

function flip(list: readonly RelationPair[]): RelationPair[] {
  return list.map(({ here, there }) => ({ here: there, there: here }))
}
