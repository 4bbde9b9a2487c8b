/** Random tables, random changes to them, and random rows that survive the changes: all of it follows from a seed. */
import type { Column, ForeignKeyAction, Precision, Storage, TableModel } from '@portico/schema/model'

export type Random = (below: number) => number

/** Numbers from a seed, the same on every machine. */
export function createRandom(seed: number): Random {
  let state = (seed + 1) * 0x9e37_79b9
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5
    state ^= state >>> 13
    return ((state >>> 0) % 1_000_003) % below
  }
}

export interface RandomColumn {
  readonly id: number
  name: string
  formerly: string[]
  storage: Storage
  precision: Precision | undefined
  nullable: boolean
  preset: string | number | boolean | undefined
  target: number | undefined
  onDelete: ForeignKeyAction
  /** Refers to another table, or once did: stays optional. */
  readonly isLink: boolean
  /** Every row has another value. */
  readonly isDistinct: boolean
}

interface RandomIndex {
  readonly name: string
  unique: boolean
  columns: { id: number; order: 'asc' | 'desc' }[]
}

export interface RandomTable {
  readonly id: number
  readonly declaration: string
  name: string
  formerly: string[]
  schema: string | undefined
  isCounted: boolean
  /** True if the distinct column is part of the key. */
  isComposite: boolean
  columns: RandomColumn[]
  indexes: RandomIndex[]
}

const storages: readonly Storage[] = ['text', 'real', 'integer', 'decimal', 'boolean', 'json']
const precisions: readonly Precision[] = [
  { precision: 8, scale: 2 },
  { precision: 12, scale: 4 },
  { precision: 6, scale: 1 },
]
const actions: readonly ForeignKeyAction[] = ['restrict', 'cascade', 'setNull', 'noAction']

export class ModelMaker {
  readonly #random: Random
  #count = 0

  constructor(random: Random) {
    this.#random = random
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!
  }

  #chance(of: number): boolean {
    return this.#random(of) === 0
  }

  #name(prefix: string): string {
    return `${prefix}${this.#next()}`
  }

  #next(): number {
    this.#count += 1
    return this.#count
  }

  make(): RandomTable[] {
    const tables = Array.from({ length: 1 + this.#random(3) }, () => this.#table())
    for (const table of tables) if (this.#chance(2)) table.columns.push(this.#link(this.#pick(tables)))
    return tables
  }

  /** Other tables that come from these by changes. */
  change(before: readonly RandomTable[]): RandomTable[] {
    const tables = structuredClone(before) as RandomTable[]
    for (const table of tables) {
      table.formerly = []
      for (const column of table.columns) column.formerly = []
    }
    if (tables.length > 1 && this.#chance(6)) this.#dropTable(tables)
    if (this.#chance(4)) tables.push(this.#table())
    for (const table of tables.filter((it) => before.some((old) => old.id === it.id))) this.#changeTable(table, tables)
    return tables
  }

  #table(): RandomTable {
    const table: RandomTable = {
      id: this.#next(),
      declaration: this.#name('T'),
      name: this.#name('t'),
      formerly: [],
      schema: this.#chance(5) ? this.#pick(['one', 'two']) : undefined,
      isCounted: this.#chance(2),
      isComposite: false,
      columns: [this.#column('text', true)],
      indexes: [],
    }
    for (let more = this.#random(4); more > 0; more--) table.columns.push(this.#column(this.#pick(storages)))
    for (let more = this.#random(3); more > 0; more--) this.#addIndex(table)
    return table
  }

  #column(storage: Storage, isDistinct = false): RandomColumn {
    const nullable = !isDistinct && this.#chance(2)
    return {
      id: this.#next(),
      name: this.#name('c'),
      formerly: [],
      storage,
      precision: storage === 'decimal' && this.#chance(2) ? this.#pick(precisions) : undefined,
      nullable,
      preset: isDistinct ? undefined : this.#preset(storage),
      target: undefined,
      onDelete: 'restrict',
      isLink: false,
      isDistinct,
    }
  }

  #preset(storage: Storage): string | number | boolean | undefined {
    if (this.#chance(2)) return undefined
    if (storage === 'text') return this.#pick(['1', '0', '-3'])
    if (storage === 'decimal') return this.#pick(['1', '0', '2.5'])
    if (storage === 'boolean') return this.#chance(2)
    return storage === 'json' ? undefined : this.#pick([0, 1])
  }

  #link({ id }: RandomTable): RandomColumn {
    const column = { ...this.#column('integer'), nullable: true, preset: undefined }
    return { ...column, target: id, isLink: true, onDelete: this.#pick(actions) }
  }

  #addIndex(table: RandomTable): void {
    const able = table.columns.filter((it) => it.storage !== 'json')
    const columns = able
      .filter(() => this.#chance(2))
      .map(({ id }) => ({ id, order: this.#pick(['asc', 'desc'] as const) }))
    if (columns.length === 0) return
    const isUnique = columns.some(({ id }) => able.find((it) => it.id === id)!.isDistinct)
    table.indexes.push({ name: this.#name('i'), unique: isUnique && this.#chance(2), columns })
  }

  #dropTable(tables: RandomTable[]): void {
    const [gone] = tables.splice(this.#random(tables.length), 1)
    for (const { columns } of tables)
      for (const column of columns) if (column.target === gone!.id) column.target = undefined
  }

  #changeTable(table: RandomTable, tables: readonly RandomTable[]): void {
    if (this.#chance(4)) {
      table.formerly = [table.name]
      table.name = this.#name('t')
    }
    if (this.#chance(5)) table.schema = this.#pick([undefined, 'one', 'two'])
    if (this.#chance(6)) table.isCounted = !table.isCounted
    if (this.#chance(8)) table.isComposite = !table.isComposite
    for (const column of table.columns.slice()) this.#changeColumn(table, column, tables)
    if (this.#chance(3)) table.columns.push(this.#added())
    if (this.#chance(5)) table.columns.push(this.#link(this.#pick(tables)))
    table.indexes = table.indexes.filter(() => !this.#chance(4))
    for (const index of table.indexes) index.columns = index.columns.filter(({ id }) => this.#isIndexable(table, id))
    for (const index of table.indexes) if (!this.#isDistinct(table, index)) index.unique = false
    table.indexes = table.indexes.filter((it) => it.columns.length > 0)
    if (this.#chance(3)) this.#addIndex(table)
  }

  #isIndexable({ columns }: RandomTable, id: number): boolean {
    return columns.some((it) => it.id === id && it.storage !== 'json')
  }

  #isDistinct({ columns }: RandomTable, index: RandomIndex): boolean {
    return index.columns.some(({ id }) => columns.find((it) => it.id === id)!.isDistinct)
  }

  /** Rows that are there get a default, or nothing. */
  #added(): RandomColumn {
    const column = this.#column(this.#pick(storages))
    return { ...column, nullable: column.nullable || column.preset === undefined }
  }

  #changeColumn(table: RandomTable, column: RandomColumn, tables: readonly RandomTable[]): void {
    if (this.#chance(4)) {
      column.formerly = [column.name]
      column.name = this.#name('c')
    }
    if (column.isDistinct) return
    if (this.#chance(7)) return void table.columns.splice(table.columns.indexOf(column), 1)
    if (column.isLink) {
      if (this.#chance(4)) column.onDelete = this.#pick(actions)
      if (this.#chance(6)) column.target = undefined
      return
    }
    if (column.storage === 'integer' && column.nullable && column.preset === undefined && this.#chance(8)) {
      column.target = this.#pick(tables).id
      return
    }
    if (this.#chance(5) && column.storage !== 'json') {
      column.storage = this.#pick(storages.filter((it) => it !== 'json'))
      column.preset = this.#preset(column.storage)
      column.precision = undefined
    }
    if (column.storage === 'decimal' && this.#chance(3)) column.precision = this.#pick(precisions)
    if (this.#chance(5)) column.preset = this.#preset(column.storage)
    if (this.#chance(4)) column.nullable = !column.nullable
  }
}

/** A random table as the compiler would give it. */
export function toModels(tables: readonly RandomTable[]): TableModel[] {
  return tables.map((table) => {
    const { name, schema, columns } = table
    const id = toColumn({ name: 'id', storage: 'integer', nullable: false, formerly: [] }, true)
    const stored = columns.map((it) => toColumn(it, table.isComposite && it.isDistinct))
    const counted = { ...id, ...(table.isCounted && { default: { kind: 'increment' as const, start: 1 } }) }
    return {
      name: table.declaration,
      table: name,
      ...(schema !== undefined && { schema }),
      renamedFrom: table.formerly,
      key: ['id', ...stored.filter((it) => it.key).map((it) => it.path)],
      columns: [counted, ...stored],
      groups: [],
      indexes: withoutTwins(table.indexes).map((index) => ({
        name: `${name}__${index.name}`,
        unique: index.unique,
        columns: index.columns.map(({ id: column, order }) => {
          const { name: path } = columns.find((it) => it.id === column)!
          return { path, column: path, order }
        }),
      })),
      foreignKeys: columns.flatMap((it) => toForeignKey(table, it, tables)),
      relations: [],
      ignored: [],
    }
  })
}

function toColumn(
  {
    name,
    storage,
    nullable,
    formerly,
    preset,
    precision,
  }: Pick<RandomColumn, 'name' | 'storage' | 'nullable' | 'formerly'> & Partial<RandomColumn>,
  key: boolean,
): Column {
  const types = {
    text: 'string',
    real: 'number',
    integer: 'number',
    decimal: 'decimal',
    boolean: 'boolean',
    json: 'json',
  } as const
  return {
    path: name,
    name,
    type: types[storage],
    storage,
    integer: storage === 'integer',
    nullable,
    optional: nullable,
    key,
    writeOnly: false,
    renamedFrom: formerly,
    ...(preset !== undefined && { default: { kind: 'value' as const, value: preset } }),
    ...(precision && { precision }),
  }
}

function toForeignKey(
  table: RandomTable,
  column: RandomColumn,
  tables: readonly RandomTable[],
): TableModel['foreignKeys'] {
  const target = tables.find((it) => it.id === column.target)
  // Only a key of one column can be referred to by one.
  if (!target || target.isComposite) return []
  return [
    {
      name: column.name,
      constraint: `${table.name}__${column.name}__fk`,
      paths: [column.name],
      columns: [column.name],
      references: {
        declaration: target.declaration,
        table: target.name,
        ...(target.schema !== undefined && { schema: target.schema }),
        paths: ['id'],
        columns: ['id'],
      },
      onDelete: column.onDelete,
      onUpdate: 'restrict',
    },
  ]
}

/** Not every engine takes the same index under two names. */
function withoutTwins(indexes: readonly RandomIndex[]): RandomIndex[] {
  const described = indexes.map(({ unique, columns }) => JSON.stringify([unique, columns]))
  return indexes.filter((_, position) => described.indexOf(described[position]!) === position)
}
