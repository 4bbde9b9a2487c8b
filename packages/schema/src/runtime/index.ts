/**
 * The runtime of generated modules: validators, JSON Schemas and table declarations. Independent of the schema
 * language.
 */
export {
  type Check,
  type Fields,
  isArray,
  isBoolean,
  isInteger,
  isNumber,
  isObject,
  isPresent,
  isString,
  lengthOf,
  type Mode,
  matches,
  nested,
  own,
  passes,
} from './checks.ts'
export { assertFormat, FORMAT_VERSION, SchemaFormatError } from './format-version.ts'
export { isDate, isDateTime, isEmail, isUrl, isUuid } from './formats.ts'
export { broken, type Issue, MAX_ISSUES, missing, type Path, unknownField, wrong } from './issues.ts'
export { defineType, type JsonSchema, type Schema, type SchemaDefinition, type ValidationResult } from './schema.ts'
export type { StandardResult, StandardSchema } from './standard-schema.ts'
export {
  type AnyTable,
  type ColumnDefinition,
  type DecimalsOf,
  defineTable,
  type InsertOf,
  type KeyOf,
  type NoRelations,
  type RecordOf,
  type RelationsOf,
  type ReplaceOf,
  type TableDeclaration,
  type TableDefinition,
  type TableRelation,
  type TableTypes,
  type UpdateOf,
} from './table.ts'
