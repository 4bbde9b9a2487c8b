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
  /** The relations of the option `relations`. */
  readonly named: readonly string[] | undefined
  /** The tables of the app. The list may still grow. */
  readonly served: readonly ServedTable[]
  /** The guards that the request has already passed. */
  readonly guards: readonly Guard[]
  /** The maximum length of a list. */
  readonly max: number
}

/** Related records as callers see them, and the relations whose lists were cut. */
export interface RelatedValues {
  readonly of: (record: Fields) => Fields
  readonly truncated: readonly string[]
}

/** A relation that a request may load, with the scopes that apply. */
interface Permitted {
  readonly relation: TableRelation
  readonly target: Fields | undefined
  readonly junction: Fields | undefined
}

/** Loads related records under the access rules of the target and junction tables. */
export class RelatedRecords {
  readonly #options: RelatedOptions

  constructor(options: RelatedOptions) {
    const { view, named = [] } = options
    for (const name of named) {
      const relation = view.relations.get(name)
      if (!relation) {
        const message = `table \`${view.declaration.name}\` has no relation \`${name}\``
        throw new RouteError('OPTIONS_INVALID', message)
      }
      if (relation.table().key.length === 0) {
        throw new RouteError('OPTIONS_INVALID', `the target table of relation \`${name}\` has no primary key`)
      }
    }
    this.#options = options
  }

  /** The relations for `$with`: those of the option, or those to tables with readable routes in the app. */
  get offered(): string[] {
    const { view, named } = this.#options
    return [...view.relations.values()]
      .filter((it) => (named ? named.includes(it.name) : this.#isServed(it) && !revealsHidden(view.declaration, it)))
      .map((it) => it.name)
  }

  /** The fields of a record that are needed to load its relations. */
  fieldsFor(names: readonly string[]): string[] {
    const paths = names.flatMap((it) => this.#relation(it).on.map(({ here }) => here.split('.')[0]!))
    return [...new Set(paths)]
  }

  /** Runs the guards and scopes of the target and junction tables. If one refuses, the request is refused. */
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

  /** Loads the related records, usually with one query per relation. */
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

  /** All conditions here come from the program, so an invalid one is not the caller's fault. */
  async #follow({ relation, target, junction }: Permitted, records: readonly Fields[]): Promise<Links> {
    const { db, max } = this.#options
    const targets = { table: operationsOf(db, relation.table()), scope: target, max }
    try {
      if (!relation.junction) return await readLinked(targets, relation.on, records)
      const through = { table: operationsOf(db, relation.junction()), scope: junction, max }
      const joints = await readLinked(through, relation.on, records)
      const ends = await readLinked({ ...targets, max: 1 }, relation.via!.on, joints.all)
      return { of: (record) => joints.of(record).flatMap(ends.of), all: ends.all, isCut: joints.isCut }
    } catch (error) {
      throw isCallersFault(error) ? scopeFailed(relation.table().name, error) : error
    }
  }

  /**
   * The controllers whose rules apply to reading a table through a relation: those that serve such reads. If the table has
   * only other routes, all their rules apply.
   */
  #rulesOf(table: AnyTable, isLookup: boolean): TableRules {
    const here = this.#servingsHere(table)
    const reading = here.filter((it) => it.readsMany || (isLookup && it.readsOne))
    if (reading.length > 0) return { kind: 'any', of: reading }
    const others = here.filter((it) => it.readsOne)
    return others.length > 0 ? { kind: 'any', of: others } : { kind: 'all', of: this.#servings(table) }
  }

  /** A relation to one record by its key needs `getOne`; any other needs `findMany`. */
  #isServed(relation: TableRelation): boolean {
    const isLookup = relation.kind === 'to'
    const canRead = this.#servingsHere(relation.table()).some((it) => it.readsMany || (isLookup && it.readsOne))
    if (!canRead || !relation.junction) return canRead
    return this.#servingsHere(relation.junction()).some((it) => it.readsMany)
  }

  /** Routes on another database do not open this one. */
  #servingsHere(table: AnyTable): ServedTable[] {
    return this.#servings(table).filter((it) => it.db === this.#options.db)
  }

  /** Compared by the name in the database: if two declarations share a table, the rules of both apply. */
  #servings({ table, schema }: AnyTable): ServedTable[] {
    return this.#options.served.filter((it) => it.table.table === table && it.table.schema === schema)
  }

  #relation(name: string): TableRelation {
    return this.#options.view.relations.get(name)!
  }
}

/** True if the relation joins on a write-only field and would reveal it. */
function revealsHidden(table: AnyTable, { on, via, table: target, junction }: TableRelation): boolean {
  const between = junction?.() ?? target()
  const joined: [AnyTable, string][] = on.flatMap((it) => [
    [table, it.here],
    [between, it.there],
  ])
  for (const it of via?.on ?? []) joined.push([between, it.here], [target(), it.there])
  return joined.some(([{ columns }, path]) => columns.some((it) => it.path === path && it.writeOnly))
}
