import { findUnwritable, findUnwritableProperties, isList } from './bind/convert.ts'
import { RouteError } from './errors.ts'
import { describeRoute, type InputDefinition, pathParameters, type RouteDefinition } from './route.ts'

/** An app looks at its routes again with those that are added, and a description of it does once more. */
const checkedRoutes = new WeakSet<RouteDefinition>()

/** Refuses a route that cannot be served as it is described, with a `RouteError`. */
export function checkRoute(route: RouteDefinition): void {
  if (checkedRoutes.has(route)) return
  checkPath(route)
  checkPathParameters(route)
  checkBody(route)
  checkStatuses(route)
  for (const input of route.inputs) if (!input.unbound) checkWritable(route, input)
  if (Object.isFrozen(route)) checkedRoutes.add(route)
}

/** Signs with a meaning of their own to the router or in an address. */
const meaningful = /[:*?#{}\s]/

/** Refuses what the router would read otherwise than the description: `:id?`, `:a-:b`, `:id(\\d+)`, `x*`. */
function checkPath(route: RouteDefinition): void {
  const parts = route.path.split('/')
  const refuse = (message: string): never => {
    throw new RouteError('PATH_INVALID', `${describeRoute(route)}: ${message}`)
  }
  for (const [index, part] of parts.entries()) {
    if (part === '*') {
      if (index < parts.length - 1) refuse('`*` stands for the rest of a path, so that nothing can follow it')
    } else if (part.startsWith(':')) {
      if (/^:\w+$/.test(part)) continue
      if (part.endsWith('?')) refuse(`\`${part}\` cannot be optional: a path without it is another route`)
      refuse(
        `\`${part}\` is no parameter: its name has letters, digits and \`_\`, and it takes a whole part of the path`,
      )
    } else if (meaningful.test(part)) {
      refuse(`\`${part}\` has a sign that a path cannot have; parameters are \`/:name\`, a rest is \`/*\``)
    }
  }
  const names = pathParameters(route.path)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refuse(`two parameters have the name \`${twice}\``)
}

function checkPathParameters(route: RouteDefinition): void {
  const names = pathParameters(route.path)
  for (const input of route.inputs.filter((it) => it.in === 'path')) {
    const told = `${describeRoute(route)}: path parameter \`${input.name}\``
    if (!names.includes(input.name!)) throw new RouteError('PARAMETER_INVALID', `${told} is not in the path`)
    if (!input.required) {
      throw new RouteError('PARAMETER_INVALID', `${told} cannot be optional: a path without it is another route`)
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
    `${describeRoute(route)}: an answer has a status from 200 to 599, not ${wrong}`,
  )
}

/** Refuses parameters that no request could hold. */
function checkWritable(route: RouteDefinition, { in: place, name, type }: InputDefinition): void {
  if (place === 'body' || place === 'request') return
  const refuse = (parameter: string, what: string): never => {
    throw new RouteError(
      'PARAMETER_INVALID',
      `${describeRoute(route)}: ${place} parameter \`${parameter}\` is ${what}, which a ${place} cannot hold; take it from the body`,
    )
  }
  if (name === undefined) {
    for (const [property, what] of findUnwritableProperties(type)) refuse(property, what)
    return
  }
  const what = findUnwritable(type) ?? (place === 'cookie' && isList(type) ? 'a list' : undefined)
  if (what) refuse(name, what)
}
