import { HttpError, type InputPlace, type RequestIssue, RouteError, validationFailed } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { describeRoute, type InputDefinition, type RouteDefinition } from '../route.ts'
import { compileObject, compileParameter, defaultOf, isList } from './convert.ts'
import { readCookie } from './cookies.ts'
import { isMalformed, type QueryValue } from './query-string.ts'
import { compileValidate } from './validate.ts'

/** Reads one input of a request and adds its issues. */
type Read = (request: HttpRequest, issues: RequestIssue[]) => unknown

type Values = Readonly<Record<string, QueryValue | undefined>>

/** Compiles a function that reads all inputs of a route. It throws one error with the issues of all of them. */
export function compileArguments(route: RouteDefinition): (request: HttpRequest) => unknown[] {
  const { inputs, consumes } = route
  const bound = inputs.filter((it) => !it.unbound)
  const reads = bound.map((input) => orRouteError(route, describeInput(input), () => compileInput(input, consumes)))
  const readsQuery = bound.some((it) => it.in === 'query')
  return (request) => {
    if (readsQuery) checkQuery(request)
    const issues: RequestIssue[] = []
    const values: unknown[] = []
    for (const read of reads) values.push(read(request, issues))
    if (issues.length > 0) throw validationFailed(issues)
    return values
  }
}

/** Compiles the response schemas of a route, so that an invalid one is found at start. */
export function checkResponses(route: RouteDefinition): void {
  for (const { type, status } of route.responses) {
    // Named schemas come from the platform and from generated modules.
    if (!type || (type.kind === 'json-schema' && type.name !== undefined)) continue
    orRouteError(route, `the response ${status}`, () => compileValidate(type))
  }
}

function orRouteError<T>(route: RouteDefinition, place: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    const { message } = error as Error
    throw new RouteError(
      'TYPE_UNKNOWN',
      `${describeRoute(route)}: the JSON Schema of ${place} is not valid: ${message}`,
      {
        cause: error,
      },
    )
  }
}

function describeInput({ in: place, name }: InputDefinition): string {
  if (name === undefined) return place === 'body' ? 'the body' : `the whole ${place}`
  return `${place} parameter \`${name}\``
}

/** Refuses a query that is not valid percent-encoded UTF-8. */
export function checkQuery({ query }: HttpRequest): void {
  if (isMalformed(query)) throw new HttpError(400, 'MALFORMED_URL', 'the query is not valid percent-encoded UTF-8')
}

/** Refuses a body with a content type that the route does not accept. */
export function checkContentType({ headers, body }: HttpRequest, consumes: readonly string[]): void {
  const given = headers['content-type'] ?? ''
  if (body === undefined || consumes.includes(given)) return
  if (consumes.includes(given.split(';', 1)[0]!.trim().toLowerCase())) return
  throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', `the body must be ${consumes.join(' or ')}`)
}

function compileInput(input: InputDefinition, consumes: readonly string[]): Read {
  switch (input.in) {
    case 'request':
      return (request) => request
    case 'body':
      return compileBody(input, consumes)
    case 'query':
      return input.name === undefined
        ? compileQueryObject(input)
        : compileNamed(input, 'query', ({ query }) => query as Values)
    case 'path':
      return compileNamed(
        input,
        'path',
        splitLists(input, ({ params }) => params as Values),
      )
    case 'header':
      return compileNamed(
        input,
        'header',
        splitLists(input, ({ headers }) => headers as Values),
      )
    case 'cookie': {
      const name = input.name!
      return compileNamed(input, 'cookie', ({ headers }) => {
        const value = readCookie(headers.cookie, name)
        return value === undefined ? {} : { [name]: value }
      })
    }
  }
}

/** Lists in paths and headers are comma-separated (OpenAPI's style `simple`, RFC 9110 §5.3). */
function splitLists(input: InputDefinition, valuesOf: (request: HttpRequest) => Values): typeof valuesOf {
  if (!isList(input.type)) return valuesOf
  const name = input.name!
  return (request) => {
    const given = valuesOf(request)[name]
    if (typeof given !== 'string') return valuesOf(request)
    return { [name]: given.trim() === '' ? [] : given.split(',').map((it) => it.trim()) }
  }
}

function compileNamed(input: InputDefinition, place: InputPlace, valuesOf: (request: HttpRequest) => Values): Read {
  const name = input.name!
  const path = [name]
  const convert = compileParameter(input.type)
  const validate = compileValidate(input.type)
  const preset = defaultOf(input.type)
  return (request, issues) => {
    const values = valuesOf(request)
    // Own properties only: every object inherits names such as `constructor`.
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    if (given === undefined) {
      if (input.required) issues.push({ in: place, path, code: 'required', message: 'is required' })
      return structuredClone(preset)
    }
    const value = convert(given)
    const before = issues.length
    validate(value, path, issues)
    if (issues.length > before) markPlace(issues, before, place)
    return value
  }
}

function compileQueryObject(input: InputDefinition): Read {
  const convert = compileObject(input.type)
  const validate = compileValidate(input.type)
  return ({ query }, issues) => {
    const value = convert(query as Readonly<Record<string, QueryValue>>)
    const before = issues.length
    validate(value, [], issues)
    if (issues.length > before) markPlace(issues, before, 'query')
    return value
  }
}

function compileBody(input: InputDefinition, consumes: readonly string[]): Read {
  const validate = compileValidate(input.type)
  const takesForms = consumes.includes(formType)
  const convertForm = compileObject(input.type)
  const preset = defaultOf(input.type)
  return (request, issues) => {
    const { body } = request
    if (body === undefined) {
      if (input.required) issues.push({ in: 'body', path: [], code: 'required', message: 'is required' })
      return structuredClone(preset)
    }
    checkContentType(request, consumes)
    const value = takesForms && isForm(request) ? convertForm(body as Readonly<Record<string, QueryValue>>) : body
    const before = issues.length
    validate(value, [], issues)
    if (issues.length > before) markPlace(issues, before, 'body')
    return value
  }
}

const formType = 'application/x-www-form-urlencoded'

function isForm({ headers }: HttpRequest): boolean {
  return headers['content-type']!.toLowerCase().startsWith(formType)
}

function markPlace(issues: RequestIssue[], from: number, place: InputPlace): void {
  for (let index = from; index < issues.length; index++) issues[index] = { in: place, ...issues[index]! }
}
