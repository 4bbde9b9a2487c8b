import type { Queryable } from '@portico/db'
import type { AnyTable, TableRelation } from '@portico/schema/runtime'
import { RouteError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import type { Guard, ServedTable } from '../route.ts'
import { type Links, readLinked } from './linked-records.ts'
import { operationsOf } from './operations.ts'
import { RelationPermits, type TableRules } from './relation-permits.ts'
import { isCallersFault, scopeFailed } from './scope.ts'
import { type Fields, TableView } from './table-view.ts'

export interface RelatedOptions {
  readonly view: TableView
  readonly db: Queryable
  /** The relations that a program named by hand. */
  readonly named: readonly string[] | undefined
  /** The tables of the app, which may still become more. */
  readonly served: readonly ServedTable[]
  /** The guards that every request here has passed already. */
  readonly guards: readonly Guard[]
  /** How many records a list has at most. */
  readonly most: number
}

/** Related records as they are shown, and which relations have lists that were cut. */
export interface RelatedValues {
  readonly of: (record: Fields) => Fields
  readonly truncated: readonly string[]
}

/** A relation that a request may follow, with the conditions that hold for it. */
interface Permitted {
  readonly relation: TableRelation
  readonly target: Fields | undefined
  readonly junction: Fields | undefined
}

/** Follows relations under the rules of the tables that they lead to and through. */
export class RelatedRecords {
  readonly #options: RelatedOptions

  constructor(options: RelatedOptions) {
    const { view, named = [] } = options
    for (const name of named) {
      const relation = view.relations.get(name)
      if (!relation) {
        const told = `table \`${view.declaration.name}\` has no relation \`${name}\``
        throw new RouteError('OPTIONS_INVALID', told)
      }
      if (relation.table().key.length === 0) {
        throw new RouteError('OPTIONS_INVALID', `relation \`${name}\` leads to a table without a key`)
      }
    }
    this.#options = options
  }

  /** The relations that can be read: those named by hand, or those to tables that the app itself lets be read. */
  get offered(): string[] {
    const { view, named } = this.#options
    return [...view.relations.values()]
      .filter((it) => (named ? named.includes(it.name) : this.#isServed(it) && !isHidden(view.declaration, it)))
      .map((it) => it.name)
  }

  /** The fields that following relations needs of the records to start from. */
  fieldsFor(names: readonly string[]): string[] {
    const paths = names.flatMap((it) => this.#relation(it).on.map(({ here }) => here.split('.')[0]!))
    return [...new Set(paths)]
  }

  /** Asks the guards and scopes of the tables that relations lead to and through; a refusal is a refusal here. */
  async permit(names: readonly string[], request: HttpRequest): Promise<readonly Permitted[]> {
    const permits = new RelationPermits(request, this.#options.guards)
    const permitted: Permitted[] = []
    for (const name of names) {
      const relation = this.#relation(name)
      const target = await permits.read(name, relation.table(), this.#rulesOf(relation.table(), relation.kind === 'to'))
      const junction =
        relation.junction && (await permits.read(name, relation.junction(), this.#rulesOf(relation.junction(), false)))
      permitted.push({ relation, target, junction })
    }
    return permitted
  }

  /** Reads the records that belong to these, one query for each relation as a rule. */
  async read(permitted: readonly Permitted[], records: readonly Fields[]): Promise<RelatedValues> {
    const found: { name: string; show: (record: Fields) => unknown; isCut: boolean }[] = []
    for (const it of permitted) {
      const { name, many } = it.relation
      const links = await this.#follow(it, records)
      const view = new TableView(it.relation.table())
      const show = (record: Fields): unknown => {
        const shown = links.of(record).map((related) => view.show(related))
        return many ? shown : shown[0]
      }
      found.push({ name, show, isCut: links.isCut })
    }
    return {
      of: (record) => {
        const values = found.map(({ name, show }) => [name, show(record)] as const)
        return Object.fromEntries(values.filter(([, value]) => value !== undefined))
      },
      truncated: found.filter((it) => it.isCut).map((it) => it.name),
    }
  }

  /** Every condition here is the program's own: what is refused of it is no fault of the caller. */
  async #follow({ relation, target, junction }: Permitted, records: readonly Fields[]): Promise<Links> {
    const { db, most } = this.#options
    const targets = { table: operationsOf(db, relation.table()), scope: target, most }
    try {
      if (!relation.junction) return await readLinked(targets, relation.on, records)
      const through = { table: operationsOf(db, relation.junction()), scope: junction, most }
      const joints = await readLinked(through, relation.on, records)
      const ends = await readLinked({ ...targets, most: 1 }, relation.via!.on, joints.all)
      return { of: (record) => joints.of(record).flatMap(ends.of), all: ends.all, isCut: joints.isCut }
    } catch (error) {
      throw isCallersFault(error) ? scopeFailed(relation.table().name, error) : error
    }
  }

  /**
   * The controllers whose rules hold for reading a table through a relation: those that serve such reads. A table that
   * only has other routes, and is named by hand, keeps the rules of all of them.
   */
  #rulesOf(table: AnyTable, isLookup: boolean): TableRules {
    const here = this.#servingsHere(table)
    const reading = here.filter((it) => it.readsMany || (isLookup && it.readsOne))
    if (reading.length > 0) return { kind: 'any', of: reading }
    const others = here.filter((it) => it.readsOne)
    return others.length > 0 ? { kind: 'any', of: others } : { kind: 'all', of: this.#servings(table) }
  }

  /** A key that is known may be looked up; anything else is finding. */
  #isServed(relation: TableRelation): boolean {
    const isLookup = relation.kind === 'to'
    const canRead = this.#servingsHere(relation.table()).some((it) => it.readsMany || (isLookup && it.readsOne))
    if (!canRead || !relation.junction) return canRead
    return this.#servingsHere(relation.junction()).some((it) => it.readsMany)
  }

  /** What is served of another database allows nothing of this one. */
  #servingsHere(table: AnyTable): ServedTable[] {
    return this.#servings(table).filter((it) => it.db === this.#options.db)
  }

  /** By the physical name: two declarations of one table are one here, and the rules of both hold. */
  #servings({ table, schema }: AnyTable): ServedTable[] {
    return this.#options.served.filter((it) => it.table.table === table && it.table.schema === schema)
  }

  #relation(name: string): TableRelation {
    return this.#options.view.relations.get(name)!
  }
}

/** Whether following the relation would tell a write-only field: who is there, is what it says. */
function isHidden(table: AnyTable, { on, via, table: target, junction }: TableRelation): boolean {
  const between = junction?.() ?? target()
  const told: [AnyTable, string][] = on.flatMap((it) => [
    [table, it.here],
    [between, it.there],
  ])
  for (const it of via?.on ?? []) told.push([between, it.here], [target(), it.there])
  return told.some(([{ columns }, path]) => columns.some((it) => it.path === path && it.writeOnly))
}
