import type { Group } from '@portico/schema/model'
import type { PlanColumn } from '../contract/table-plan.ts'

/** The positions of a record's fields in a row. */
export type RowNode = ValueNode | (ObjectNode & { readonly name: string })

interface ValueNode {
  readonly kind: 'value'
  readonly name: string
  readonly position: number
  readonly optional: boolean
  /** The value for NULL in an existing object: `null`, or the default of a required field. */
  readonly missing: unknown
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly nodes: readonly RowNode[]
  /** For an optional object: the position of a value that is NULL exactly when the object is missing. */
  readonly presence: number | undefined
}

/** Rebuilds nested objects from flattened columns: a tree whose leaves are positions in the row. */
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
 * A required field with a literal default, in an optional object, is NULL if an older program without the field stored the
 * object. It is read as its default, as in any other column, where the database itself fills it in.
 */
function missingValue({ model, storage }: PlanColumn): unknown {
  const { default: preset, nullable, optional, allowsNull } = model
  if (preset?.kind !== 'value' || !nullable || optional || allowsNull) return null
  const stored = storage.encode ? storage.encode(preset.value) : preset.value
  return storage.decode ? storage.decode(stored) : stored
}
