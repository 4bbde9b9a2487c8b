/** A JSON Schema inside a description, as plain data. */
export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export interface ExternalDocs {
  readonly url: string
  readonly description?: string | undefined
}

export interface Contact {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly email?: string | undefined
}

export interface License {
  readonly name: string
  /** An SPDX expression, since OpenAPI 3.1. */
  readonly identifier?: string | undefined
  readonly url?: string | undefined
}

export interface Server {
  readonly url: string
  readonly description?: string | undefined
  readonly variables?:
    | Readonly<Record<string, { readonly default: string; readonly enum?: readonly string[] }>>
    | undefined
}

export interface Tag {
  readonly name: string
  /** Since OpenAPI 3.2. */
  readonly summary?: string | undefined
  readonly description?: string | undefined
  readonly externalDocs?: ExternalDocs | undefined
}

export interface OAuthFlow {
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  readonly refreshUrl?: string | undefined
  readonly scopes: Readonly<Record<string, string>>
}

/** A way to authenticate. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly description?: string
    }
  | {
      readonly type: 'oauth2'
      readonly flows: Readonly<Record<string, OAuthFlow>>
      readonly description?: string
    }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string; readonly description?: string }

/** Scheme names with the required scopes. All of the schemes are required together. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface Reference {
  readonly $ref: string
}

export interface Example {
  readonly summary?: string
  readonly value: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly schema: SchemaObject
  readonly examples?: Readonly<Record<string, Example>>
}

export interface MediaType {
  readonly schema?: SchemaObject
  readonly examples?: Readonly<Record<string, Example>>
}

export interface RequestBody {
  readonly description?: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaObject }>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Operation {
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly externalDocs?: ExternalDocs
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly deprecated?: boolean
  readonly security?: readonly SecurityRequirement[]
}

/** The operations of one path, by method in lower case. */
export type PathItem = Readonly<Record<string, Operation>>

/** An API description (OpenAPI 3.0, 3.1 or 3.2), as plain data. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description?: string
    readonly contact?: Contact
    readonly license?: License
  }
  readonly servers: readonly Server[]
  readonly tags?: readonly Tag[]
  readonly externalDocs?: ExternalDocs
  readonly security?: readonly SecurityRequirement[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, SchemaObject>>
    readonly responses?: Readonly<Record<string, Response>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  }
}
