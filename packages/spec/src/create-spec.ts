import { type ControllerLike, collectRoutes, type RouteDefinition } from '@portico/http'
import { Components } from './components.ts'
import type { OpenApiDocument } from './document.ts'
import { describePaths } from './operations.ts'
import { checkOptions, documentVersions, type SpecOptions } from './options.ts'
import { readRoutes } from './routes.ts'
import { readSecurity } from './security.ts'
import { collectTags } from './tags.ts'
import { toSchema30 } from './versions/schema-30.ts'

/**
 * Creates the API description of controllers, tables and routes, without a server. Without options, those of a
 * `specController` in the list apply. A mistake is a `SpecError`, or a `RouteError` of a route.
 *
 * ```ts
 * const document = createSpec([ProjectController, tableController(Task, { db })], { title: 'Tracker', version: '1.2.0' })
 * ```
 */
export function createSpec(controllers: readonly ControllerLike[], given?: SpecOptions): OpenApiDocument {
  const collected = collectRoutes(controllers)
  const options = given ?? findOptions(collected)
  checkOptions(options)
  const { openapi = '3.1', problemName = 'Problem' } = options
  const routes = readRoutes(collected)
  const components = new Components(openapi === '3.0' ? toSchema30 : (schema) => schema, problemName)
  const security = readSecurity(routes, options.securitySchemes ?? {})
  const paths = describePaths(routes, { components, security })
  const tags = collectTags(routes, options)
  return {
    openapi: documentVersions[openapi],
    info: describeInfo(options),
    servers: options.servers ?? [{ url: '/' }],
    ...(tags.length > 0 && { tags }),
    ...(options.externalDocs && { externalDocs: options.externalDocs }),
    ...(security.isOpen && { security: [] }),
    paths,
    components: describeComponents(components, security.schemes),
  }
}

function findOptions(routes: readonly RouteDefinition[]): SpecOptions {
  const described = routes.find((it) => it.metadata['specOptions'] !== undefined)
  return (described?.metadata['specOptions'] ?? {}) as SpecOptions
}

function describeInfo({ title = 'API', version = '1.0.0', description, contact, license, openapi }: SpecOptions) {
  const { identifier: _, ...license30 } = license ?? { name: '' }
  return {
    title,
    version,
    ...(description !== undefined && { description }),
    ...(contact && { contact }),
    ...(license && { license: openapi === '3.0' ? license30 : license }),
  }
}

function describeComponents(
  { schemas, responses }: Components,
  securitySchemes: NonNullable<OpenApiDocument['components']['securitySchemes']>,
): OpenApiDocument['components'] {
  const parts = { schemas, responses, securitySchemes }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
}
