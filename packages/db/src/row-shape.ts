import type { Group } from '@portico/schema/model'
import type { PlanColumn } from './table-plan.ts'

/** Where the parts of a record stand in a row. */
export type RowNode =
  | { readonly kind: 'value'; readonly name: string; readonly position: number; readonly optional: boolean }
  | (ObjectNode & { readonly name: string })

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
    if (leaf) return { kind: 'value', name, position: positions.get(leaf)!, optional: leaf.model.optional }
    const inner = own.filter((it) => it.path.startsWith(`${path}.`))
    const presence = groups.find((it) => it.path === path)?.presence
    const position = presence === undefined ? undefined : columns.findIndex((it) => it.name === presence)
    return { name, ...shapeObject(inner, `${path}.`, position) }
  }
}
