export { Description, Id, Label, Optional, Required } from '@portico/http'
export { createSpec } from './create-spec.ts'
export {
  SpecDeprecated,
  SpecDescription,
  SpecExample,
  SpecExclude,
  SpecExternalDocs,
  SpecOperationId,
  SpecParam,
  SpecPublic,
  SpecResponse,
  SpecSecurity,
  SpecTag,
} from './decorators.ts'
export type { SpecChange } from './diff/change.ts'
export { diffSpecs } from './diff/diff-specs.ts'
export type {
  Contact,
  Example,
  ExternalDocs,
  License,
  MediaType,
  OAuthFlow,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  SchemaObject,
  SecurityRequirement,
  SecurityScheme,
  Server,
  Tag,
} from './document.ts'
export type { SpecErrorCode } from './errors.ts'
export { SpecError, specErrorCodes } from './errors.ts'
export type { OpenApiVersion, SpecOptions } from './options.ts'
export { readYaml } from './read-yaml.ts'
export type { SpecControllerOptions } from './spec-controller.ts'
export { SpecController, specController } from './spec-controller.ts'
export type { SpecExampleEntry, SpecParamEntry, SpecResponseEntry, TSpecMate } from './spec-mate.ts'
export { getSpecMate } from './spec-mate.ts'
export type { UiColors, UiHome, UiOAuthOptions, UiOptions } from './ui/page.ts'
export { writeYaml } from './yaml.ts'
