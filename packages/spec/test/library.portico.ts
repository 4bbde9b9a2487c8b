// Generated from library.portico by `portico generate`. Do not edit: change library.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'library.portico.ts')

/** Where somebody lives. */
export interface Address {
  street: string
  city: string
  country: string
}

export const Address: portico.Schema<Address> = portico.defineType({
  name: 'Address',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Where somebody lives.',
    type: 'object',
    properties: {
      street: { examples: ['12 Elm Street'], type: 'string' },
      city: { type: 'string' },
      country: { type: 'string' },
    },
    required: ['street', 'city', 'country'],
    additionalProperties: false,
  },
  check: checkAddress,
})

function checkAddress(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'street':
      case 'city':
      case 'country':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['street']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'street'], 'text')
  } else portico.missing(issues, path, 'street')
  it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['country']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'country'], 'text')
  } else portico.missing(issues, path, 'country')
}

export interface Cover {
  color: string
  kind: 'hard'
  width: number
}

export const Cover: portico.Schema<Cover> = portico.defineType({
  name: 'Cover',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      color: { type: 'string' },
      kind: { type: 'string', const: 'hard' },
      width: { type: 'number', default: 12 },
    },
    required: ['color', 'kind', 'width'],
    additionalProperties: false,
  },
  check: checkCover,
})

function checkCover(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'color':
      case 'kind':
      case 'width':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['color']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'color'], 'text')
  } else portico.missing(issues, path, 'color')
  it = value['kind']
  if (it !== undefined) {
    if (!(it === 'hard')) portico.wrong(issues, [...path, 'kind'], "'hard'")
  } else portico.missing(issues, path, 'kind')
  it = value['width']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'width'], 'a number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'width')
}

/** A writer of books. */
export interface Author {
  id: number
  name: string
  address?: Address
}

/** Input to insert an `Author`. Fields with a default may be omitted; `null` means no value. */
export interface AuthorInsert {
  id?: number
  name: string
  address?: Address | null
}

/** Input to replace an `Author`: every field except those filled in on write. */
export interface AuthorReplace {
  id: number
  name: string
  address?: Address | null
}

/** Input to update an `Author`: its key and any other fields. `null` clears an optional field. */
export interface AuthorUpdate {
  id: number
  name?: string
  address?: Address | null
}

/** The primary key of an `Author`. */
export interface AuthorKey {
  id: number
}

/** The relations of an `Author`, by the names used in `with`. */
export interface AuthorRelations {
  books: (typeof Book)[]
}

export const Author: portico.TableDeclaration<Author, AuthorInsert, AuthorUpdate, AuthorKey, AuthorReplace, AuthorRelations> = portico.defineTable({
  name: 'Author',
  table: 'authors',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required' },
    { path: 'address.street', name: 'address__street', type: 'string', storage: 'text', nullable: true },
    { path: 'address.city', name: 'address__city', type: 'string', storage: 'text', nullable: true },
    { path: 'address.country', name: 'address__country', type: 'string', storage: 'text', nullable: true },
  ],
  groups: [{ path: 'address', optional: true, presence: 'address__street' }],
  relations: [
    { name: 'books', kind: 'from', target: 'Book', many: true, on: [{ here: 'id', there: 'authorId' }], table: (): portico.AnyTable => Book },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Author',
    description: 'A writer of books.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { examples: ['Ursula K. Le Guin'], type: 'string', minLength: 1 },
      address: { $ref: '#/$defs/Address' },
      books: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name'],
    additionalProperties: false,
    $defs: {
      Address: {
        description: 'Where somebody lives.',
        type: 'object',
        properties: {
          street: { examples: ['12 Elm Street'], type: 'string' },
          city: { type: 'string' },
          country: { type: 'string' },
        },
        required: ['street', 'city', 'country'],
        additionalProperties: false,
      },
    },
  },
  check: checkAuthor,
})

function checkAuthor(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'address':
        break
      case 'books':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['address']
  if (portico.isPresent(it, mode)) {
    checkAddress(it, [...path, 'address'], issues, portico.nested(mode))
  }
  it = value['books']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'books'], 'an array of objects')
  }
}

/** Book */
export interface Book {
  id: number
  /** As printed on the cover. */
  title: string
  kind: 'novel' | 'essay' | 'poems'
  price?: string
  cover?: Cover
  tags: string[]
  /** @deprecated Books move. */
  shelf?: string
  note?: string
  authorId: number
  version: number
  createdAt: number
}

/** Input to insert a `Book`. Fields with a default may be omitted; `null` means no value. */
export interface BookInsert {
  id?: number
  title: string
  kind?: 'novel' | 'essay' | 'poems'
  price?: string | null
  cover?: Cover | null
  tags: string[]
  shelf?: string | null
  note?: string | null
  authorId: number
  version?: number
  createdAt?: number
}

/** Input to replace a `Book`: every field except those filled in on write. */
export interface BookReplace {
  id: number
  title: string
  kind: 'novel' | 'essay' | 'poems'
  price?: string | null
  cover?: Cover | null
  tags: string[]
  shelf?: string | null
  note?: string | null
  authorId: number
  version?: number
  createdAt?: number
}

/** Input to update a `Book`: its key and any other fields. `null` clears an optional field. */
export interface BookUpdate {
  id: number
  title?: string
  kind?: 'novel' | 'essay' | 'poems'
  price?: string | null
  cover?: Cover | null
  tags?: string[]
  shelf?: string | null
  note?: string | null
  authorId?: number
  version?: number
  createdAt?: number
}

/** The primary key of a `Book`. */
export interface BookKey {
  id: number
}

/** The relations of a `Book`, by the names used in `with`. */
export interface BookRelations {
  author: typeof Author
}

export const Book: portico.TableDeclaration<Book, BookInsert, BookUpdate, BookKey, BookReplace, BookRelations, 'price'> = portico.defineTable({
  name: 'Book',
  table: 'books',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'title', name: 'title', type: 'string', storage: 'text', subtype: 'required' },
    { path: 'kind', name: 'kind', type: 'string', storage: 'text', values: ['novel', 'essay', 'poems'], default: { kind: 'value', value: 'essay' } },
    { path: 'price', name: 'price', type: 'decimal', storage: 'decimal', nullable: true, optional: true, precision: { precision: 8, scale: 2 } },
    { path: 'cover', name: 'cover', type: 'json', storage: 'json', shape: 'object', nullable: true, optional: true },
    { path: 'tags', name: 'tags', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'shelf', name: 'shelf', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'note', name: 'note', type: 'string', storage: 'text', nullable: true, optional: true, writeOnly: true },
    { path: 'authorId', name: 'authorId', type: 'number', storage: 'integer', integer: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
  ],
  foreignKeys: [
    { name: 'authorId', constraint: 'books__authorId__fk', paths: ['authorId'], columns: ['authorId'], references: { declaration: 'Author', table: 'authors', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'author', kind: 'to', target: 'Author', many: false, on: [{ here: 'authorId', there: 'id' }], table: (): portico.AnyTable => Author },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Book',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      title: {
        title: 'Title',
        description: 'As printed on the cover.',
        examples: ['The Dispossessed'],
        type: 'string',
        minLength: 1,
      },
      kind: { type: 'string', enum: ['novel', 'essay', 'poems'], default: 'essay' },
      price: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,2})?$' },
      cover: { $ref: '#/$defs/Cover' },
      tags: { type: 'array', items: { type: 'string' } },
      shelf: { deprecated: true, type: 'string' },
      note: { type: 'string', writeOnly: true },
      authorId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      author: { type: 'object' },
    },
    required: ['id', 'title', 'kind', 'tags', 'authorId', 'version', 'createdAt'],
    additionalProperties: false,
    $defs: {
      Cover: {
        type: 'object',
        properties: {
          color: { type: 'string' },
          kind: { type: 'string', const: 'hard' },
          width: { type: 'number', default: 12 },
        },
        required: ['color', 'kind', 'width'],
        additionalProperties: false,
      },
    },
  },
  check: checkBook,
})

function checkBook(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'title':
      case 'kind':
      case 'price':
      case 'cover':
      case 'tags':
      case 'shelf':
      case 'note':
      case 'authorId':
      case 'version':
      case 'createdAt':
        break
      case 'author':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['title']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'title'], 'text that is not empty')
  } else if (mode !== 'update') portico.missing(issues, path, 'title')
  it = value['kind']
  if (it !== undefined) {
    if (!(it === 'novel' || it === 'essay' || it === 'poems')) portico.wrong(issues, [...path, 'kind'], "one of 'novel', 'essay', 'poems'")
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'kind')
  it = value['price']
  if (portico.isPresent(it, mode)) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'price'], 'a decimal as text, with up to 8 digits and 2 after the point')
  }
  it = value['cover']
  if (portico.isPresent(it, mode)) {
    checkCover(it, [...path, 'cover'], issues, 'record')
  }
  it = value['tags']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'tags'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'tags', index], 'text')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'tags')
  it = value['shelf']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'shelf'], 'text')
  }
  it = value['note']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'note'], 'text')
  }
  it = value['authorId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'authorId'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'authorId')
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['author']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'author'], 'an object')
  }
}

export interface Loan {
  bookId: number
  member: string
  dueOn: string
}

/** Input to insert a `Loan`. Fields with a default may be omitted; `null` means no value. */
export interface LoanInsert {
  bookId: number
  member: string
  dueOn: string
}

/** Input to replace a `Loan`: every field except those filled in on write. */
export interface LoanReplace {
  bookId: number
  member: string
  dueOn: string
}

/** Input to update a `Loan`: its key and any other fields. `null` clears an optional field. */
export interface LoanUpdate {
  bookId: number
  member: string
  dueOn?: string
}

/** The primary key of a `Loan`. */
export interface LoanKey {
  bookId: number
  member: string
}

export const Loan: portico.TableDeclaration<Loan, LoanInsert, LoanUpdate, LoanKey, LoanReplace> = portico.defineTable({
  name: 'Loan',
  table: 'loans',
  key: ['bookId', 'member'],
  columns: [
    { path: 'bookId', name: 'bookId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'member', name: 'member', type: 'string', storage: 'text', key: true },
    { path: 'dueOn', name: 'dueOn', type: 'string', storage: 'text', subtype: 'date' },
  ],
  foreignKeys: [
    { name: 'bookId', constraint: 'loans__bookId__fk', paths: ['bookId'], columns: ['bookId'], references: { declaration: 'Book', table: 'books', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      bookId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      member: { type: 'string' },
      dueOn: { type: 'string', format: 'date' },
    },
    required: ['bookId', 'member', 'dueOn'],
    additionalProperties: false,
  },
  check: checkLoan,
})

function checkLoan(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'bookId':
      case 'member':
      case 'dueOn':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['bookId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'bookId'], 'a whole number')
  } else portico.missing(issues, path, 'bookId')
  it = value['member']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'member'], 'text')
  } else portico.missing(issues, path, 'member')
  it = value['dueOn']
  if (it !== undefined) {
    if (!portico.isDate(it)) portico.wrong(issues, [...path, 'dueOn'], 'a date, such as 2026-02-28')
  } else if (mode !== 'update') portico.missing(issues, path, 'dueOn')
}
