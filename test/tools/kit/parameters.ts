import { Controller, Cookie, Get, Header, Optional, Param, Query, Returns } from '@portico/http'
import { SpecTag } from '@portico/spec'

const integer = { type: 'integer', format: 'int64', minimum: -1000, maximum: 1000 }
const choices = { type: 'string', enum: ['a', 'b'] }

/** The handler's input as JSON. */
const anything = { type: 'object', additionalProperties: true }

const page = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1 },
    size: { type: 'integer', minimum: 1, maximum: 50 },
    kinds: { type: 'array', items: { $ref: '#/$defs/Kind' } },
  },
  required: ['size'],
  additionalProperties: false,
  $defs: { Kind: { type: 'string', enum: ['x', 'y'] } },
}

/** Parameters of every type in every place. */
@Controller('/parameters')
@SpecTag('parameters')
export class ParameterController {
  @Get('/path/:text/:whole/:flag/:choice')
  @Returns(anything)
  readPath(
    @Param('text') text: string,
    @Param('whole', integer) whole: number,
    @Param('flag', Boolean) flag: boolean,
    @Param('choice', choices) choice: string,
  ): object {
    return { text, whole, flag, choice }
  }

  @Get('/query')
  @Returns(anything)
  readQuery(
    @Query('text') text: string,
    @Query('number', Number) number: number,
    @Query('whole', integer) @Optional() whole?: number,
    @Query('flag', Boolean) @Optional() flag?: boolean,
    @Query('choice', choices) @Optional() choice?: string,
    @Query('day', { type: 'string', format: 'date' }) @Optional() day?: string,
  ): object {
    return { text, number, whole, flag, choice, day }
  }

  @Get('/lists')
  @Returns(anything)
  readLists(
    @Query('texts', [String]) @Optional() texts?: string[],
    @Query('wholes', { type: 'array', items: integer, maxItems: 5 }) @Optional() wholes?: number[],
    @Query('flags', [Boolean]) @Optional() flags?: boolean[],
  ): object {
    return { texts, wholes, flags }
  }

  @Get('/unions')
  @Returns(anything)
  readUnions(
    @Query('nullable', { type: ['integer', 'null'] }) @Optional() nullable?: number | null,
    @Query('mixed', { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }) @Optional() mixed?: boolean | number,
  ): object {
    return { nullable, mixed }
  }

  @Get('/defaults')
  @Returns(anything)
  readDefaults(
    @Query('size', { type: 'integer', minimum: 0, maximum: 9, default: 7 }) @Optional() size?: number,
  ): object {
    return { size }
  }

  @Get('/whole-query')
  @Returns(anything)
  readWhole(@Query(page) query: object): object {
    return query
  }

  @Get('/headers')
  @Returns(anything)
  readHeaders(
    @Header('x-count', integer) count: number,
    @Header('x-flag', Boolean) @Optional() flag?: boolean,
    @Header('x-choice', choices) @Optional() choice?: string,
  ): object {
    return { count, flag, choice }
  }

  @Get('/cookies')
  @Returns(anything)
  readCookies(
    @Cookie('count', integer) @Optional() count?: number,
    @Cookie('choice', choices) @Optional() choice?: string,
  ): object {
    return { count, choice }
  }
}
