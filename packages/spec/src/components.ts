import { problemSchema, type ResolvedType } from '@portico/http'
import type { Reference, Response, SchemaObject } from './document.ts'
import { SpecError } from './errors.ts'
import { mapSchema } from './schema-walk.ts'
import { isObject } from './shared/objects.ts'

interface Component {
  readonly declared: SchemaObject
  /** `declared` as JSON text, computed on the first comparison. */
  text?: string
  readonly place: string
  schema: SchemaObject
}

/** A JSON Schema with its definitions, and its name if it is shared. */
interface Root {
  readonly schema: SchemaObject
  readonly owner?: string
}

/** The keywords for definitions; `definitions` is from before draft 2019-09. */
const definitionPlaces = ['$defs', 'definitions']

/**
 * The `components` of a document. Schemas are stored under the names of their declarations, together with the schemas that
 * they refer to.
 */
export class Components {
  readonly #convert: (schema: SchemaObject) => SchemaObject
  readonly #problemName: string
  readonly #schemas = new Map<string, Component>()
  readonly #names = new WeakMap<SchemaObject, string>()
  readonly #responses = new Map<string, Response>()

  /** `convert` turns a schema of draft 2020-12 into one of the document's version. `problemName` names `Problem`. */
  constructor(convert: (schema: SchemaObject) => SchemaObject, problemName: string) {
    this.#convert = convert
    this.#problemName = problemName
  }

  get schemas(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#schemas].map(([name, { schema }]) => [name, schema]))
  }

  get responses(): Record<string, Response> {
    return Object.fromEntries(this.#responses)
  }

  /** The schema of a type; a reference if it has a name. `place` appears in the message if the name is already taken. */
  schemaOf(type: ResolvedType, place: string, more?: SchemaObject): SchemaObject {
    const described = this.#describe(type, place)
    return this.#convert(more ? { ...described, ...more } : described)
  }

  /** The schema of a part, which may refer to definitions of the whole schema. */
  schemaOfPart(part: SchemaObject, whole: SchemaObject, place: string): SchemaObject {
    return this.#convert(this.#rewrite(part, { schema: whole }, place))
  }

  /** The reference to a shared schema. */
  refTo(schema: SchemaObject): string | undefined {
    const name = this.#names.get(schema)
    return name === undefined ? undefined : referenceTo(name)
  }

  /** Shares a response under a name; `undefined` if the name belongs to a response with another description. */
  shareResponse(name: string, description: string, create: () => Response): Reference | undefined {
    let shared = this.#responses.get(name)
    if (!shared) {
      shared = create()
      this.#responses.set(name, shared)
    }
    return shared.description === description ? { $ref: `#/components/responses/${name}` } : undefined
  }

  #describe(type: ResolvedType, place: string): SchemaObject {
    switch (type.kind) {
      case 'any':
        return {}
      case 'array':
        return { type: 'array', items: this.#describe(type.element, place) }
      case 'one-or-many': {
        const one = this.#describe(type.element, place)
        return { anyOf: [one, { type: 'array', items: one }] }
      }
      case 'schema':
        return this.#refer(type.schema.name, type.schema.jsonSchema, place)
      case 'json-schema':
        return type.name === undefined
          ? this.#rewrite(type.schema, { schema: type.schema }, place)
          : this.#refer(type.name, type.schema, place)
    }
  }

  #refer(declaredName: string, schema: SchemaObject, place: string): SchemaObject {
    const isProblem = schema === problemSchema
    const name = isProblem ? this.#problemName : declaredName
    const where = isProblem ? 'the built-in problems' : place
    return { $ref: referenceTo(this.#define(name, schema, { schema, owner: name }, where)) }
  }

  #define(declaredName: string, declared: SchemaObject, root: Root, place: string): string {
    // The same object is the same schema. This also ends the recursion of schemas that contain themselves.
    const known = this.#names.get(declared)
    if (known !== undefined) return known
    const name = this.#chooseName(declaredName.replaceAll(/[^\w.-]/g, '_'), declared, root, place)
    this.#names.set(declared, name)
    const taken = this.#schemas.get(name)
    const component = taken ?? { declared, place, schema: {} }
    if (!taken) this.#schemas.set(name, component)
    const schema = this.#rewrite(declared, root, place)
    if (!taken) component.schema = this.#convert(schema)
    return name
  }

  /**
   * The name itself, unless another schema has it. The input of an update differs from the record only in its defaults;
   * such a definition is prefixed with its owner's name. Any other difference is a mistake.
   */
  #chooseName(name: string, declared: SchemaObject, { owner }: Root, place: string): string {
    const taken = this.#schemas.get(name)
    if (!taken) return name
    taken.text ??= textOf(taken.declared)
    const [known, own] = [taken.text, textOf(declared)]
    if (known === own) return name
    const isVariant = owner !== undefined && owner !== name && withoutDefaults(known) === withoutDefaults(own)
    if (isVariant) return this.#chooseName(`${owner}${name}`, declared, { schema: declared }, place)
    const isProblem = [taken.declared, declared].includes(problemSchema)
    const hint = isProblem ? '; rename the built-in one with the option `problemName`' : ''
    throw new SpecError(
      'SCHEMA_CONFLICT',
      `two different schemas have the name \`${name}\`: that of ${taken.place} and that of ${place}${hint}`,
    )
  }

  /** Shares the target of a reference and returns its name. */
  #share($ref: string, root: Root, place: string): string {
    if ($ref === '#' && root.owner !== undefined) return this.#define(root.owner, root.schema, root, place)
    const [, from, ...path] = $ref.split('/')
    const definitions = definitionPlaces.includes(from ?? '') ? root.schema[from!] : undefined
    const name = unescapePointer(path.join('/'))
    if (path.length === 1 && isObject(definitions) && Object.hasOwn(definitions, name)) {
      const definition = definitions[name]
      if (isObject(definition)) return this.#define(name, definition, root, place)
    }
    throw new SpecError(
      'SCHEMA_INVALID',
      `the schema of ${place} refers to \`${$ref}\`, which cannot be a component: put it under \`$defs\` and refer to \`#/$defs/…\``,
    )
  }

  /** The schema with its definitions shared and its references pointing to them. */
  #rewrite(schema: SchemaObject, root: Root, place: string): SchemaObject {
    const inner = mapSchema(withoutDefinitions(schema), (it) => this.#rewrite(it, root, place))
    const { $ref, discriminator } = inner
    const changes: Record<string, unknown> = {}
    if (isLocal($ref)) changes['$ref'] = referenceTo(this.#share($ref, root, place))
    if (isObject(discriminator) && isObject(discriminator['mapping'])) {
      const mapping = this.#rewriteMapping(discriminator['mapping'], root, place)
      changes['discriminator'] = { ...discriminator, mapping }
    }
    return Object.keys(changes).length === 0 ? inner : { ...inner, ...changes }
  }

  /** A discriminator maps to a reference or to the bare name of a definition. */
  #rewriteMapping(mapping: SchemaObject, root: Root, place: string): SchemaObject {
    const definitions = definitionPlaces.find((it) => isObject(root.schema[it])) ?? ''
    const known = (root.schema[definitions] ?? {}) as SchemaObject
    const rewrite = (target: unknown): unknown => {
      const isName = typeof target === 'string' && Object.hasOwn(known, target)
      const $ref = isName ? `#/${definitions}/${target}` : target
      return isLocal($ref) ? referenceTo(this.#share($ref, root, place)) : target
    }
    return Object.fromEntries(Object.entries(mapping).map(([value, target]) => [value, rewrite(target)]))
  }
}

/** True for a reference into its own schema, which is not valid in a document. */
function isLocal($ref: unknown): $ref is string {
  return typeof $ref === 'string' && $ref.startsWith('#') && !$ref.startsWith('#/components/')
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`
}

function withoutDefinitions(schema: SchemaObject): SchemaObject {
  const { $schema, $defs, definitions } = schema
  if ($schema === undefined && $defs === undefined && definitions === undefined) return schema
  const { $schema: _, $defs: __, definitions: ___, ...rest } = schema
  return rest
}

function textOf(schema: SchemaObject): string {
  return JSON.stringify(withoutDefinitions(schema))
}

function withoutDefaults(text: string): string {
  const strip = (schema: SchemaObject): SchemaObject => {
    const { default: _, ...kept } = mapSchema(schema, strip)
    return kept
  }
  return JSON.stringify(strip(JSON.parse(text) as SchemaObject))
}

function unescapePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
