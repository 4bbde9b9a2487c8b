/**
 * The driver reads JSON objects with `$ref` and `$id` as references to other documents (`DBRef`) and changes them: it
 * splits `$ref` at a dot, drops `$db` and moves fields. Documents with such objects are read again as bytes, in which
 * the name `$ref` is hidden from the driver.
 */
import { DbError } from '../../../errors.ts'
import { type Document, loadDriver, type MongoCollection, type MongoCursor } from '../client/driver.ts'
import { setOwn } from './document.ts'

/** Returns the documents as they are stored. `readAgain` finds the same ones with the option `raw`. */
export async function readExactly(documents: Document[], readAgain: () => MongoCursor): Promise<Document[]> {
  if (!documents.some(hasReference)) return documents
  const { BSON } = await loadDriver()
  const found = (await readAgain().toArray()) as unknown as Uint8Array[]
  return found.map((stored) => {
    const bytes = Uint8Array.from(stored)
    const mark = findMark(bytes)
    hideNames(bytes, mark)
    return showNames(BSON.deserialize(bytes), `${String.fromCharCode(mark)}ref`) as Document
  })
}

/** Yields all matching documents as they are stored. */
export async function* readAll(
  collection: MongoCollection,
  filter: Document,
  options: { readonly projection?: Document },
): AsyncGenerator<Document> {
  for await (const document of collection.find(filter, options)) {
    const readAgain = (): MongoCursor => collection.find({ _id: document['_id'] }, { ...options, raw: true })
    yield* await readExactly([document], readAgain)
  }
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const type = (value as Document)['_bsontype']
  if (type !== undefined) return type === 'DBRef'
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (hasReference(inner)) return true
  return false
}

/** Finds a character that can replace `$` because no name in the document begins with it. */
function findMark(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let mark = 1; mark < 32; mark++) if (!buffer.includes(Buffer.from([mark, ...REF]))) return mark
  throw new DbError('DATABASE_INVALID', 'a document has field names that cannot be distinguished')
}

const REF = [...Buffer.from('ref\0')]

/** Sizes of fixed-length values, by BSON type. */
const fixedSizes: Readonly<Record<number, number>> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
}

/** Replaces the `$` of each field named `$ref`. https://bsonspec.org/spec.html */
function hideNames(bytes: Uint8Array, mark: number, start = 0): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const lengthAt = (at: number): number => view.getInt32(at, true)
  let at = start + 4
  for (let type = bytes[at]!; type !== 0; type = bytes[at]!) {
    const name = at + 1
    at = bytes.indexOf(0, name) + 1
    if (bytes[name] === 0x24 && REF.every((byte, index) => bytes[name + 1 + index] === byte)) bytes[name] = mark
    if (type === 3 || type === 4) hideNames(bytes, mark, at)
    at += sizeAt(type, at)
  }

  function sizeAt(type: number, value: number): number {
    switch (type) {
      case 2: // string
      case 13: // code
      case 14: // symbol
        return 4 + lengthAt(value)
      case 3: // document
      case 4: // array
      case 15: // code with a scope
        return lengthAt(value)
      case 5: // binary data
        return 5 + lengthAt(value)
      case 11: // regular expression: two zero-terminated strings
        return bytes.indexOf(0, bytes.indexOf(0, value) + 1) + 1 - value
      case 12: // pointer
        return 16 + lengthAt(value)
      default: {
        const size = fixedSizes[type]
        if (size === undefined) throw new DbError('DATABASE_INVALID', `a document has a value of the type ${type}`)
        return size
      }
    }
  }
}

/** Restores the `$` in names, and keeps the order of fields. */
function showNames(value: unknown, hidden: string): unknown {
  if (Array.isArray(value)) return value.map((it) => showNames(it, hidden))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const shown: Document = {}
  for (const [name, inner] of Object.entries(value)) {
    setOwn(shown, name === hidden ? '$ref' : name, showNames(inner, hidden))
  }
  return shown
}
