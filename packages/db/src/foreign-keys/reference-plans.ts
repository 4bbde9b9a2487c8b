import type { Column, ForeignKey, TableModel } from '@portico/schema/model'
import type { AnyTable } from '@portico/schema/runtime'
import type { Adapter } from '../contract/adapter.ts'
import { type PlanColumn, type TablePlan } from '../contract/table-plan.ts'
import { createTablePlan } from '../table/table-plan.ts'
import { toTableName } from '../values/table-name.ts'

/** One end of a foreign key: a table, and its columns in the order of the key. */
export interface ReferenceEnd {
  readonly plan: TablePlan
  readonly columns: readonly PlanColumn[]
}

/** Plans of the tables at both ends of foreign keys. The program itself may not declare all of them. */
export class ReferencePlans {
  readonly #adapter: Adapter
  readonly #targets = new WeakMap<ForeignKey, ReferenceEnd>()
  /** By the JSON of the model: after a sync, a table has another model. */
  readonly #referrers = new Map<string, TablePlan>()

  constructor(adapter: Adapter) {
    this.#adapter = adapter
  }

  /** The table that a foreign key refers to, with the key as its only columns. */
  targetOf(plan: TablePlan, foreignKey: ForeignKey): ReferenceEnd {
    let target = this.#targets.get(foreignKey)
    if (!target) {
      const { references, paths } = foreignKey
      const columns = references.columns.map((name, index): Column => {
        const { model } = plan.byPath.get(paths[index]!)!
        const { default: _, ...rest } = model
        return { ...rest, path: references.paths[index]!, name, key: true, nullable: false, optional: false }
      })
      const model = { ...references, name: references.declaration, key: references.paths, columns }
      const created = this.#createPlan({ ...empty, ...model })
      target = { plan: created, columns: created.columns }
      this.#targets.set(foreignKey, target)
    }
    return target
  }

  /** The plan of a table as the database knows it. */
  planOf(model: TableModel): TablePlan {
    const text = JSON.stringify(model)
    let plan = this.#referrers.get(text)
    if (!plan) {
      plan = this.#createPlan(model)
      this.#referrers.set(text, plan)
    }
    return plan
  }

  /** The foreign keys of a table that refer to another. */
  foreignKeysTo(plan: TablePlan, target: TablePlan): readonly ForeignKey[] {
    return plan.declaration.foreignKeys.filter(({ references }) => {
      const { schema, table } = toTableName(references, this.#adapter.supports.schemas)
      return table === target.tableName.table && schema === target.tableName.schema
    })
  }

  #createPlan(model: TableModel): TablePlan {
    // A plan does not use validators and relations, which a stored model lacks.
    return createTablePlan(model as AnyTable, this.#adapter)
  }
}

const empty = { renamedFrom: [], groups: [], indexes: [], foreignKeys: [], relations: [], ignored: [] }
