import {
  defineRoute,
  type Guards,
  HttpError,
  type HttpReply,
  type HttpRequest,
  type Metadata,
  type RouteDefinition,
  type RouteGroup,
  reply,
} from '@portico/http'
import { createSpec } from './create-spec.ts'
import { SpecError } from './errors.ts'
import { optionRules, type SpecOptions } from './options.ts'
import { findAliasConflict } from './shared/option-aliases.ts'
import { anything, expecting } from './shared/option-checks.ts'
import { defined, type OptionRules } from './shared/options.ts'
import { findAsset } from './ui/assets.ts'
import { checkControllerOptions, checkUi } from './ui/check-ui.ts'
import { renderPage, type UiOptions, writePolicy, writeTheme } from './ui/page.ts'
import { StoredAnswer } from './ui/stored-answer.ts'
import { writeYaml } from './yaml.ts'

export interface SpecControllerOptions extends SpecOptions {
  /** The path of the docs page. Default `/api-docs`. */
  readonly path?: string | undefined
  /** Another name for `path`. */
  readonly route?: string | undefined
  /**
   * One guard or a list that runs before the docs page and the description are served. Default: none. `undefined` is
   * refused: it would leave them open.
   */
  readonly guard?: Guards
  /** Another name for `guard`. */
  readonly guards?: Guards
  /** Options of the docs page; `false` serves the description alone. */
  readonly ui?: UiOptions | false | undefined
}

const guards = defined(
  expecting('a function or a list of functions', (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.length > 0 && list.every((it) => typeof it === 'function')
  }),
)

const controllerRules: OptionRules<SpecControllerOptions> = {
  ...optionRules,
  path: anything,
  route: anything,
  guard: guards,
  guards,
  ui: anything,
}

interface Texts {
  readonly json: StoredAnswer
  readonly yaml: StoredAnswer
}

/**
 * Serves the API description of the app: the docs page at `/api-docs`, the document at `/api-docs/spec.json` and
 * `/api-docs/spec.yaml`. These routes are not part of the document. It is created once, when the app starts; a mistake
 * keeps the app from starting.
 *
 * ```ts
 * createApp().register(ProjectController, specController({ title: 'Tracker', version: '1.2.0' }))
 * ```
 */
export function specController(options: SpecControllerOptions = {}): RouteGroup {
  checkControllerOptions(options, controllerRules)
  checkAliases(options)
  const path = options.path ?? options.route ?? '/api-docs'
  const guards = options.guard ?? options.guards ?? []
  const ui = options.ui ?? {}
  if (ui !== false) checkUi(ui, options.securitySchemes)
  let texts: Texts | undefined
  const send = (format: keyof Texts, request: HttpRequest): HttpReply => {
    if (!texts) throw new Error('specController was not registered with an app')
    return texts[format].replyTo(request)
  }
  return Object.freeze({
    kind: 'routes',
    name: 'specController',
    routes: [
      ...(ui === false ? [] : createPageRoutes({ path, guards }, options, ui)),
      createRoute({ path: `${path}/spec.json`, guards }, (request) => send('json', request), { specOptions: options }),
      createRoute({ path: `${path}/spec.yaml`, guards }, (request) => send('yaml', request)),
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

/** The same function under the name of the classes that it is registered beside. */
export const SpecController: typeof specController = specController

function checkAliases({ path, route, guard, guards }: SpecControllerOptions): void {
  const conflict =
    findAliasConflict(['path', 'route'], [path, route]) ?? findAliasConflict(['guard', 'guards'], [guard, guards])
  if (conflict !== undefined) throw new SpecError('OPTIONS_INVALID', `specController: ${conflict}`)
}

function createPageRoutes({ path, guards }: Place, options: SpecOptions, ui: UiOptions): RouteDefinition[] {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': writePolicy(options, ui),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  }
  const theme = StoredAnswer.fromText(writeTheme(ui), 'text/css; charset=utf-8')
  return [
    createRoute({ path, guards }, (request) => reply(renderPage(options, ui, request), { headers })),
    createRoute({ path: `${path}/assets/:file`, guards }, (request) => {
      const { file } = request.params as { file: string }
      const asset = file === 'theme.css' ? theme : findAsset(file)
      if (!asset) throw new HttpError(404, 'NOT_FOUND', 'there is nothing at this address')
      return asset.replyTo(request, { 'content-security-policy': "default-src 'self'" })
    }),
  ]
}

interface Place {
  readonly path: string
  readonly guards: Guards
}

function createRoute(
  { path, guards }: Place,
  answer: (request: HttpRequest) => HttpReply,
  metadata: Metadata = {},
): RouteDefinition {
  return defineRoute({
    method: 'GET',
    path,
    guards,
    metadata: { ...metadata, specExclude: true },
    handler: ({ request }) => answer(request),
  })
}
