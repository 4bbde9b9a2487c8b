import type { Queryable } from '@portico/db'
import {
  Body,
  Consumes,
  Controller,
  type ControllerLike,
  Cookie,
  Delete,
  defineGuard,
  defineRoute,
  Get,
  Guard,
  Header,
  HttpError,
  type HttpReply,
  Param,
  Post,
  Put,
  Query,
  Returns,
  reply,
  Status,
  tableController,
} from '@portico/http'
import { defineType, type Schema } from '@portico/schema/runtime'
import {
  Description,
  Label,
  Optional,
  SpecDeprecated,
  SpecExample,
  SpecExternalDocs,
  type SpecOptions,
  SpecParam,
  SpecPublic,
  SpecResponse,
  SpecSecurity,
  SpecTag,
} from '@portico/spec'
import { Address, Author, Book, Loan } from '../library.portico.ts'

/** An app with the options of its description. */
export interface SampleApp {
  readonly controllers: readonly ControllerLike[]
  readonly options: SpecOptions
}

/** For descriptions alone: no request is ever made to these tables. */
export const nowhere = { table: () => ({}) } as unknown as Queryable

@Controller('/hello')
class HelloController {
  @Get('/:name')
  @Returns(String)
  greet(@Param('name') name: string): string {
    return `Hello ${name}!`
  }
}

/** One route, and nothing said about it that need not be. */
export const smallApp: SampleApp = { controllers: [HelloController], options: {} }

const signedIn = defineGuard({ security: 'bearer' }, ({ headers }) => {
  if (headers.authorization === undefined) throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
  if (headers.authorization !== 'Bearer librarian') throw new HttpError(403, 'FORBIDDEN', 'for librarians only')
})

const search = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 2, description: 'Part of the title.', examples: ['disp'] },
    kinds: { type: 'array', items: { $ref: '#/$defs/Kind' } },
    limit: { type: ['integer', 'null'], exclusiveMinimum: 0 },
  },
  required: ['text'],
  additionalProperties: false,
  $defs: { Kind: { enum: ['novel', 'essay', 'poems'] } },
} as const

const count = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const

@Controller('/catalog')
@Label('Catalog')
@Description('Everything that can be **borrowed**.')
@SpecTag('catalog')
@SpecParam({ in: 'header', name: 'x-trace', description: 'Shown in the log.' })
class CatalogController {
  @Get('/search')
  @SpecTag('catalog')
  @SpecTag('search')
  @Description('Finds books by their titles.')
  @SpecExternalDocs('https://example.com/search', 'How search works')
  @Returns([String], { description: 'The titles.' })
  @SpecExample(['The Dispossessed'])
  searchBooks(@Query(search) query: { text: string }): string[] {
    return [`The ${query.text}`]
  }

  @Get('/count')
  @SpecDeprecated()
  @Returns(count)
  count(@Query('tag', [String]) @Optional() tags?: string[]): object {
    return { count: tags?.length ?? 0 }
  }

  @Post('/moves')
  @Status(202)
  @Guard(signedIn)
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  @Returns(Address, { description: 'Where it goes.' })
  @SpecResponse(409, { description: 'The library is closed.' })
  move(
    @Body(Address) @Label('Destination') @Description('Where the library moves.') address: Address,
    @Header('x-dry-run', Boolean) @Optional() _dryRun?: boolean,
    @Cookie('session') @Optional() _session?: string,
  ): Address {
    return address
  }

  @Put('/opening/:day')
  @Returns(undefined)
  open(
    @Param('day') @SpecExample('monday', { summary: 'The first' }) _day: string,
    @Body() @Optional() _hours?: unknown,
  ): void {}

  @Delete('/opening/:weekday')
  @SpecSecurity('oauth', ['admin'])
  @SpecSecurity('bearer')
  close(@Param('weekday') _day: string): void {}

  @Get('/export')
  @Guard(signedIn)
  @SpecPublic()
  @Returns({ type: 'string' }, { contentType: 'text/csv', description: 'All of it.' })
  exportAll(): HttpReply {
    return reply('title\n', { headers: { 'content-type': 'text/csv' } })
  }
}

const oauth = {
  type: 'oauth2',
  flows: {
    authorizationCode: {
      authorizationUrl: 'https://auth.example.com/authorize',
      tokenUrl: 'https://auth.example.com/token',
      scopes: { admin: 'Everything' },
    },
  },
} as const

export const mediumOptions: SpecOptions = {
  title: 'The <library> & more',
  version: '2.1.0',
  description: 'Books, and who has them.\n\nSecond paragraph.',
  servers: [{ url: 'https://library.test/api', description: 'The real one' }],
  contact: { name: 'The librarians', email: 'library@example.com' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  tags: [
    { name: 'books', description: 'What can be read.', externalDocs: { url: 'https://example.com/books' } },
    { name: 'search', description: 'Finding things.' },
  ],
  externalDocs: { url: 'https://example.com', description: 'More' },
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, oauth },
}

/** Tables and a controller that use nearly everything. */
export function mediumControllers(db: Queryable): ControllerLike[] {
  return [
    CatalogController,
    tableController(Book, { db, route: 'books', decorators: [SpecTag('books')] }),
    tableController(Author, { db, route: 'authors', decorators: [SpecTag('authors')] }),
    tableController(Loan, { db, route: 'loans', guard: signedIn, decorators: [SpecTag('loans')] }),
  ]
}

export const mediumApp: SampleApp = { controllers: mediumControllers(nowhere), options: mediumOptions }

const place = {
  type: 'object',
  properties: { city: { type: 'string' }, floor: { type: 'integer' } },
  required: ['city'],
}

/** An app of this many operations: five for each resource, with two types of its own and one in common. */
function manyOperations(operations: number): SampleApp {
  const controllers = Array.from({ length: operations / 5 }, (_, index) => createResource(index)).flat()
  return { controllers, options: { title: 'Many', version: '1.0.0' } }
}

export const largeApp: SampleApp = manyOperations(500)

function createResource(index: number): ControllerLike[] {
  const item = createType(`Item${index}`, ['name', 'place', 'owner'])
  const change = createType(`Item${index}Change`, ['name'])
  const path = `/items-${index}`
  const metadata = { specTags: [`group-${Math.floor(index / 10)}`] }
  const id = { id: Number }
  const answer = (): never => {
    throw new Error('never called')
  }
  return [
    defineRoute({ method: 'GET', path, query: { page: Number }, returns: [item], metadata, handler: answer }),
    defineRoute({ method: 'POST', path, body: item, returns: item, status: 201, metadata, handler: answer }),
    defineRoute({ method: 'GET', path: `${path}/:id`, params: id, returns: item, metadata, handler: answer }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:id`,
      params: id,
      body: change,
      returns: item,
      metadata,
      handler: answer,
    }),
    defineRoute({ method: 'DELETE', path: `${path}/:id`, params: id, metadata, handler: answer }),
  ]
}

function createType(name: string, required: readonly string[]): Schema<unknown> {
  const jsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, examples: ['Lamp'] },
      kind: { const: 'item' },
      owner: { anyOf: [{ $ref: '#/$defs/Place' }, { type: 'null' }] },
      place: { $ref: '#/$defs/Place' },
    },
    required,
    additionalProperties: false,
    $defs: { Place: place },
  }
  return defineType({ name, jsonSchema, check: () => {} })
}
