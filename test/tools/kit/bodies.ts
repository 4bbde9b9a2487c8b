import {
  Body,
  Consumes,
  Controller,
  Get,
  HttpError,
  type HttpReply,
  Optional,
  Param,
  Patch,
  Post,
  Put,
  Returns,
  reply,
  Status,
} from '@portico/http'
import { SpecDeprecated, SpecExample, SpecResponse, SpecTag } from '@portico/spec'
import { Address } from './kit.portico.ts'

const shape = {
  oneOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }],
  discriminator: { propertyName: 'kind', mapping: { circle: '#/$defs/Circle', square: '#/$defs/Square' } },
  $defs: {
    Circle: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['circle'] }, radius: { type: 'number', minimum: 0 } },
      required: ['kind', 'radius'],
      additionalProperties: false,
    },
    Square: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['square'] }, side: { type: 'number', minimum: 0 } },
      required: ['kind', 'side'],
      additionalProperties: false,
    },
  },
}

const item = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    count: { type: 'integer', format: 'int64', minimum: 0, maximum: 1000 },
    ratio: { type: 'number' },
    note: { type: ['string', 'null'] },
    parts: { type: 'array', items: { type: 'string', maxLength: 10 }, maxItems: 4, uniqueItems: true },
  },
  required: ['name', 'count'],
  additionalProperties: false,
}

const form = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, size: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}

/** Bodies of every kind. */
@Controller('/bodies')
@SpecTag('bodies')
export class BodyController {
  @Post('/item')
  @Status(201)
  @Returns(item, { headers: { 'x-kind': 'What was made.' } })
  @SpecExample({ name: 'a', count: 1 })
  make(@Body(item) body: object): HttpReply {
    return reply(body, { status: 201, headers: { 'x-kind': 'item' } })
  }

  @Post('/shape')
  @Returns(shape)
  draw(@Body(shape) body: object): object {
    return body
  }

  @Put('/list')
  @Returns([item])
  replaceAll(@Body([item]) body: object[]): object[] {
    return body
  }

  @Put('/address')
  @Returns(Address)
  move(@Body(Address) body: Address): Address {
    return body
  }

  @Post('/form')
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  @Returns(form)
  send(@Body(form) body: object): object {
    return body
  }

  @Patch('/optional')
  @Returns({ type: 'boolean' })
  change(@Body(item) @Optional() body?: object): boolean {
    return body !== undefined
  }
}

/** Answers of every kind. */
@Controller('/answers')
@SpecTag('answers')
export class AnswerController {
  @Get('/text')
  @Returns(String)
  text(): string {
    return 'text'
  }

  @Get('/choice')
  @Returns({ type: 'string', enum: ['a', 'b'] }, { contentType: 'application/json' })
  choice(): string {
    return 'a'
  }

  @Get('/nullable')
  @Returns({ type: ['string', 'null'] })
  nullable(): string {
    return 'a'
  }

  @Get('/picture')
  @Returns(String, { contentType: 'image/svg+xml' })
  picture(): string {
    return '<svg xmlns="http://www.w3.org/2000/svg"/>'
  }

  @Get('/bytes')
  @Returns({ type: 'string', format: 'binary' }, { contentType: 'application/octet-stream' })
  bytes(): Buffer {
    return Buffer.from([1, 2, 3])
  }

  @Get('/number')
  @Returns(Number)
  number(): number {
    return 1.5
  }

  @Get('/nothing')
  @Returns(undefined)
  nothing(): void {}

  @Get('/old')
  @SpecDeprecated()
  @Returns([String])
  old(): string[] {
    return ['a']
  }

  @Get('/statuses/:which')
  @Returns({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] })
  @Returns({ type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] }, { status: 202 })
  @SpecResponse(404, { description: 'There is none.' })
  @SpecResponse(409, { description: 'Not now.' })
  statuses(@Param('which', { type: 'string', enum: ['a', 'b', 'none', 'conflict'] }) which: string): HttpReply {
    if (which === 'none') throw new HttpError(404, 'NONE', 'there is none')
    if (which === 'conflict') throw new HttpError(409, 'NOT_NOW', 'not now')
    return which === 'a' ? reply({ a: 1 }) : reply({ b: 2 }, { status: 202 })
  }
}
