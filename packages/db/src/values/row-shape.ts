import type { Group } from '@portico/schema/model'
import type { PlanColumn } from '../contract/plan.ts'

/** Where the parts of a record stand in a row. */
export type RowNode = ValueNode | (ObjectNode & { readonly name: string })

export interface ValueNode {
  readonly kind: 'value'
  readonly name: string
  readonly position: number
  readonly optional: boolean
  /** What NULL is read as where the object around it is there; `null` but for a required field with a default. */
  readonly missing: unknown
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly nodes: readonly RowNode[]
  /** For an optional object, the position of a value that is NULL exactly when the object is absent. */
  readonly presence: number | undefined
}

/** Puts flattened columns together again: the tree of a record, with positions in the row as leaves. */
export function shapeRow(columns: readonly PlanColumn[], groups: readonly Group[]): ObjectNode {
  const positions = new Map(columns.map((column, position) => [column, position]))
  return shapeObject(columns, '', undefined)

  function shapeObject(own: readonly PlanColumn[], prefix: string, presence: number | undefined): ObjectNode {
    const names = new Set(own.map((it) => it.path.slice(prefix.length).split('.')[0]!))
    return { kind: 'object', presence, nodes: [...names].map((name) => shapeNode(own, prefix, name)) }
  }

  function shapeNode(own: readonly PlanColumn[], prefix: string, name: string): RowNode {
    const path = prefix + name
    const leaf = own.find((it) => it.path === path)
    if (leaf) {
      const { optional } = leaf.model
      return { kind: 'value', name, position: positions.get(leaf)!, optional, missing: missingValue(leaf) }
    }
    const inner = own.filter((it) => it.path.startsWith(`${path}.`))
    const presence = groups.find((it) => it.path === path)?.presence
    const position = presence === undefined ? undefined : columns.findIndex((it) => it.name === presence)
    return { name, ...shapeObject(inner, `${path}.`, position) }
  }
}

/**
 * A required field with a literal default, in an optional object, is NULL where a program that does not know it has
 * stored the object. It is read as its default, which such a program would get from the database in any other column.
 */
function missingValue({ model, storage }: PlanColumn): unknown {
  const { default: preset, nullable, optional, allowsNull } = model
  if (preset?.kind !== 'value' || !nullable || optional || allowsNull) return null
  const stored = storage.encode ? storage.encode(preset.value) : preset.value
  return storage.decode ? storage.decode(stored) : stored
}
