import type { Database } from '@portico/db'
import type { Column, TableModel } from '@portico/schema/model'
import { defineTable, type TableDeclaration } from '@portico/schema/runtime'

type Fields = Record<string, unknown>

/** A table of the compiler's model that takes whatever it is given. */
export function tableOf(model: TableModel): TableDeclaration<Fields, Fields, Fields, Fields, Fields> {
  return defineTable<Fields, Fields, Fields, Fields, Fields>({ ...model, jsonSchema: {}, check: () => {} } as never)
}

/**
 * Runs the few statements of the tests on an engine without SQL: rows that are inserted, deleted by their key, or read
 * in its order. Names are those of columns.
 */
export async function runStatement(db: Database, models: readonly TableModel[], text: string): Promise<Fields[]> {
  const [, verb, list = '', name] =
    /^(insert|select|delete)\s+(.*?)\s*(?:into|from)\s+(\w+)/.exec(text.replace(/^insert /, 'insert  ')) ?? []
  const model = models.find((it) => it.table === name)
  if (!model) throw new Error(`no such table: ${text}`)
  const table = db.table(tableOf(model))
  if (verb === 'insert') await table.insertMany(readRows(text, model))
  if (verb === 'delete') await table.deleteOne({ id: Number(/id = (\d+)/.exec(text)?.[1]) })
  if (verb !== 'select') return []
  const records = await table.findMany({ orderBy: Object.fromEntries(model.key.map((it) => [it, 'asc'])) as never })
  return records.map((record) => readRecord(record, list, model))
}

function readRows(text: string, { columns }: TableModel): Fields[] {
  const [, names = '', rows = ''] = /\(([^)]*)\) values (.*)$/s.exec(text) ?? []
  const own = names.split(', ').map((name) => columns.find((it) => it.name === name.replaceAll('"', ''))!)
  return [...rows.matchAll(/\(((?:'[^']*'|[^)'])*)\)/g)].map(([, row = '']) => {
    const values = [...row.matchAll(/'([^']*)'|([^,\s']+)/g)]
    const record: Fields = {}
    for (const [index, column] of own.entries()) {
      setPath(record, column.path, readValue(values[index]![1], values[index]![2], column))
    }
    return record
  })
}

function readValue(quoted: string | undefined, bare: string | undefined, { storage }: Column): unknown {
  if (bare === 'null') return null
  const text = quoted ?? bare ?? ''
  if (storage === 'boolean') return text === '1' || text === 'true'
  if (storage === 'json') return JSON.parse(text) as unknown
  return storage === 'integer' || storage === 'real' ? Number(text) : text
}

function setPath(record: Fields, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop()!
  let holder = record
  for (const name of names) {
    holder[name] ??= {}
    holder = holder[name] as Fields
  }
  holder[last] = value
}

/** The columns of a list, `a, b as c` or `*`, absent ones as null. */
function readRecord(record: Fields, list: string, { columns }: TableModel): Fields {
  const wanted = list === '*' ? columns.map((it) => it.name) : list.split(', ')
  return Object.fromEntries(
    wanted.map((item) => {
      const [name = '', alias] = item.split(' as ')
      const column = columns.find((it) => it.name === name.replaceAll('"', ''))!
      const value = column.path.split('.').reduce<unknown>((at, part) => (at as Fields | undefined)?.[part], record)
      return [alias ?? column.name, value ?? null]
    }),
  )
}
