import type { InjectedResponse } from '@portico/http'
import type { OpenApiDocument, Operation, Reference, Response } from '@portico/spec'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'

/** Checks answers against a description (3.1), and records which described answers were seen. */
export class AnswerChecker {
  readonly seen = new Set<string>()
  readonly #document: OpenApiDocument
  readonly #ajv = new Ajv2020({ strict: false })

  constructor(document: OpenApiDocument) {
    this.#document = document
    ;(ajvFormats as unknown as typeof ajvFormats.default)(this.#ajv)
    this.#ajv.addSchema(document, 'document')
  }

  /** Every described answer, as `METHOD /path status`. */
  get described(): string[] {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    )
  }

  /** Lists the differences between an answer and the description. */
  check(method: string, url: string, answer: InjectedResponse): string[] {
    const path = this.#findPath(method, url.split('?')[0]!.replace(/\/$/, ''))
    if (path === undefined) return [`${method} ${url} is not described`]
    const { responses } = this.#document.paths[path]![method.toLowerCase()] as Operation
    const exact = String(answer.statusCode)
    const status = [exact, `${exact[0]}XX`, 'default'].find((it) => it in responses)
    if (status === undefined) return [`${method} ${path} does not describe ${exact}`]
    this.seen.add(`${method} ${path} ${status}`)
    return this.#checkBody(`${method} ${path} ${status}`, responses[status]!, answer)
  }

  #checkBody(name: string, entry: Response | Reference, answer: InjectedResponse): string[] {
    const { content, headers = {} } = this.#follow(entry)
    const unknown = ['etag', 'location', 'link', 'x-total-count'].filter(
      (it) => it in answer.headers && !(it in headers),
    )
    if (unknown.length > 0) return [`${name} has the headers ${unknown.join()}, which are not described`]
    if (!content) return answer.body === '' ? [] : [`${name} has a body`]
    const type = String(answer.headers['content-type']).split(';')[0]!
    const media = content[type]
    if (!media) return [`${name} is ${type}, not ${Object.keys(content).join()}`]
    const validate = this.#ajv.compile({
      $id: `document-${this.seen.size}-${Math.random()}`,
      ...localize(media.schema ?? {}),
    })
    const body: unknown = type.endsWith('json') ? answer.json() : answer.body
    return validate(body) ? [] : [`${name}: ${this.#ajv.errorsText(validate.errors)} in ${answer.body}`]
  }

  #findPath(method: string, path: string): string | undefined {
    const fits = Object.keys(this.#document.paths)
      .filter((it) => method.toLowerCase() in this.#document.paths[it]!)
      .filter((it) => new RegExp(`^${it.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path))
    return fits.find((it) => !it.includes('{')) ?? fits[0]
  }

  #follow(entry: Response | Reference): Response {
    if (!('$ref' in entry)) return entry
    return this.#document.components.responses![entry.$ref.split('/').at(-1)!]!
  }
}

/** The schema with references that lead into the registered document. */
function localize(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object
}
