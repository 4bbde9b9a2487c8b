import { findUnwritable, findUnwritableProperties, isList } from './bind/convert.ts'
import { RouteError } from './errors.ts'
import { describeRoute, type InputDefinition, pathParameters, type RouteDefinition } from './route.ts'

/** Routes are checked again with each `register` and for each API description; once is enough. */
const checkedRoutes = new WeakSet<RouteDefinition>()

/** Throws a `RouteError` for a route that cannot be served as it is described. */
export function checkRoute(route: RouteDefinition): void {
  if (checkedRoutes.has(route)) return
  checkPath(route)
  checkPathParameters(route)
  checkBody(route)
  checkStatuses(route)
  for (const input of route.inputs) if (!input.unbound) checkWritable(route, input)
  if (Object.isFrozen(route)) checkedRoutes.add(route)
}

/** Characters with a special meaning to the router or in a URL. */
const specialCharacters = /[:*?#{}\s]/

/** Refuses syntax that the router and OpenAPI read differently: `:id?`, `:a-:b`, `:id(\\d+)`, `x*`. */
function checkPath(route: RouteDefinition): void {
  const parts = route.path.split('/')
  const refuse = (message: string): never => {
    throw new RouteError('PATH_INVALID', `${describeRoute(route)}: ${message}`)
  }
  for (const [index, part] of parts.entries()) {
    if (part === '*') {
      if (index < parts.length - 1) refuse('`*` matches the rest of the path, so nothing can follow it')
    } else if (part.startsWith(':')) {
      if (/^:\w+$/.test(part)) continue
      if (part.endsWith('?')) refuse(`\`${part}\` cannot be optional: the path without it is another route`)
      refuse(`\`${part}\` is not a valid parameter: use letters, digits and \`_\`, and a whole segment of the path`)
    } else if (specialCharacters.test(part)) {
      refuse(`\`${part}\` has a character that is not allowed in a path; a parameter is \`/:name\`, a wildcard \`/*\``)
    }
  }
  const names = pathParameters(route.path)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refuse(`two parameters have the name \`${twice}\``)
}

function checkPathParameters(route: RouteDefinition): void {
  const names = pathParameters(route.path)
  for (const input of route.inputs.filter((it) => it.in === 'path')) {
    const parameter = `${describeRoute(route)}: path parameter \`${input.name}\``
    if (!names.includes(input.name!)) throw new RouteError('PARAMETER_INVALID', `${parameter} is not in the path`)
    if (!input.required) {
      throw new RouteError('PARAMETER_INVALID', `${parameter} cannot be optional: the path without it is another route`)
    }
  }
}

function checkBody(route: RouteDefinition): void {
  if (route.method !== 'GET' && route.method !== 'HEAD') return
  if (!route.inputs.some((it) => it.in === 'body')) return
  throw new RouteError('PARAMETER_INVALID', `${describeRoute(route)}: a ${route.method} request has no body`)
}

function checkStatuses(route: RouteDefinition): void {
  const statuses = [route.status, ...route.responses.map((it) => it.status)]
  const wrong = statuses.find((it) => it !== undefined && !(Number.isInteger(it) && it >= 200 && it <= 599))
  if (wrong === undefined) return
  throw new RouteError(
    'OPTIONS_INVALID',
    `${describeRoute(route)}: the status of a response is from 200 to 599, not ${wrong}`,
  )
}

/** Refuses types that a parameter cannot have, such as an object. */
function checkWritable(route: RouteDefinition, { in: place, name, type }: InputDefinition): void {
  if (place === 'body' || place === 'request') return
  const refuse = (parameter: string, what: string): never => {
    throw new RouteError(
      'PARAMETER_INVALID',
      `${describeRoute(route)}: ${place} parameter \`${parameter}\` is ${what}, which is not possible there; take it from the body`,
    )
  }
  if (name === undefined) {
    for (const [property, what] of findUnwritableProperties(type)) refuse(property, what)
    return
  }
  const what = findUnwritable(type) ?? (place === 'cookie' && isList(type) ? 'a list' : undefined)
  if (what) refuse(name, what)
}
