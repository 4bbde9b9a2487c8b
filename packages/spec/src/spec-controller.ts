import {
  defineRoute,
  HttpError,
  type HttpReply,
  type HttpRequest,
  type Metadata,
  type RouteDefinition,
  type RouteGroup,
  reply,
} from '@portico/http'
import { createSpec } from './create-spec.ts'
import { optionRules, type SpecOptions } from './options.ts'
import { anything } from './shared/option-checks.ts'
import { findAsset } from './ui/assets.ts'
import { checkControllerOptions, checkUi } from './ui/check-ui.ts'
import { renderPage, type UiOptions, writePolicy } from './ui/page.ts'
import { StoredAnswer } from './ui/stored-answer.ts'
import { writeYaml } from './yaml.ts'

export interface SpecControllerOptions extends SpecOptions {
  /** Where the docs page is. Default `/api-docs`. */
  readonly path?: string
  /** The docs page; `false` serves the description alone. */
  readonly ui?: UiOptions | false
}

interface Texts {
  readonly json: StoredAnswer
  readonly yaml: StoredAnswer
}

/**
 * Serves the description of the app that it is registered with: the docs page at `/api-docs`, the description itself at
 * `/api-docs/spec.json` and `/api-docs/spec.yaml`. None of these appear in it. It is made once, when the app starts;
 * a mistake keeps the app from starting.
 *
 * ```ts
 * createApp().register(ProjectController, SpecController({ title: 'Tracker', version: '1.2.0' }))
 * ```
 */
export function SpecController(options: SpecControllerOptions = {}): RouteGroup {
  checkControllerOptions(options, { ...optionRules, path: anything, ui: anything })
  const path = options.path ?? '/api-docs'
  const ui = options.ui ?? {}
  if (ui !== false) checkUi(ui, options.securitySchemes)
  let texts: Texts | undefined
  const send = (format: keyof Texts, request: HttpRequest): HttpReply => {
    if (!texts) throw new Error('SpecController was not registered with an app')
    return texts[format].replyTo(request)
  }
  return Object.freeze({
    kind: 'routes',
    name: 'SpecController',
    routes: [
      ...(ui === false ? [] : createPageRoutes(path, options, ui)),
      createRoute(`${path}/spec.json`, (request) => send('json', request), { specOptions: options }),
      createRoute(`${path}/spec.yaml`, (request) => send('yaml', request)),
    ],
    onRegister(host) {
      host.onReady(() => {
        const document = createSpec(host.routes, options)
        texts = {
          json: StoredAnswer.fromText(JSON.stringify(document), 'application/json; charset=utf-8'),
          yaml: StoredAnswer.fromText(writeYaml(document), 'application/yaml; charset=utf-8'),
        }
      })
    },
  } satisfies RouteGroup)
}

function createPageRoutes(path: string, options: SpecOptions, ui: UiOptions): RouteDefinition[] {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': writePolicy(options),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  }
  return [
    createRoute(path, (request) => reply(renderPage(options, ui, request), { headers })),
    createRoute(`${path}/assets/:file`, (request) => {
      const asset = findAsset((request.params as { file: string }).file)
      if (!asset) throw new HttpError(404, 'NOT_FOUND', 'there is nothing at this address')
      return asset.replyTo(request, { 'content-security-policy': "default-src 'self'" })
    }),
  ]
}

function createRoute(
  path: string,
  answer: (request: HttpRequest) => HttpReply,
  metadata: Metadata = {},
): RouteDefinition {
  return defineRoute({
    method: 'GET',
    path,
    metadata: { ...metadata, specExclude: true },
    handler: ({ request }) => answer(request),
  })
}
