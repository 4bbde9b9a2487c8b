import { type JsonSchema, MAX_ISSUES } from '@portico/schema/runtime'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { RequestIssue } from '../errors.ts'
import type { ResolvedType } from '../types.ts'
import { uniqueItems } from './unique-items.ts'

/** Adds the issues of a value. */
export type Validate = (value: unknown, path: readonly (string | number)[], issues: RequestIssue[]) => void

/**
 * The validator of a type. Generated schemas have their own, which the database layer uses too and which is faster than
 * Ajv's. Other schemas are compiled by Ajv, which also fills in the defaults of absent properties; it changes nothing else.
 */
export function compileValidate(type: ResolvedType): Validate {
  switch (type.kind) {
    case 'any':
      return () => {}
    case 'schema': {
      const { check } = type.schema
      return (value, path, issues) => check(value, path, issues, 'record')
    }
    case 'array':
      return compileArray(compileValidate(type.element))
    case 'one-or-many':
      return compileOneOrMany(compileValidate(type.element))
    case 'json-schema':
      return compilePrimitive(type.schema) ?? compileJsonSchema(type.schema)
  }
}

function compileArray(validate: Validate): Validate {
  return (value, path, issues) => {
    if (!Array.isArray(value)) issues.push({ path, code: 'type', message: 'expected a list' })
    else {
      for (const [index, item] of value.entries()) {
        if (issues.length >= MAX_ISSUES) return
        validate(item, [...path, index], issues)
      }
    }
  }
}

function compileOneOrMany(validate: Validate): Validate {
  const validateAll = compileArray(validate)
  return (value, path, issues) => (Array.isArray(value) ? validateAll : validate)(value, path, issues)
}

const primitiveChecks: Readonly<Record<string, { is: (value: unknown) => boolean; message: string }>> = {
  string: { is: (value) => typeof value === 'string', message: 'expected a string' },
  number: { is: Number.isFinite, message: 'expected a number' },
  boolean: { is: (value) => typeof value === 'boolean', message: 'expected true or false' },
}

/** Bare types, as most parameters have, need no compiler. */
function compilePrimitive(schema: JsonSchema): Validate | undefined {
  const { type } = schema
  const check = typeof type === 'string' && Object.keys(schema).length === 1 ? primitiveChecks[type] : undefined
  if (!check) return undefined
  return (value, path, issues) => {
    if (!check.is(value)) issues.push({ path, code: 'type', message: check.message })
  }
}

let firstErrorAjv: Ajv2020 | undefined
let allErrorsAjv: Ajv2020 | undefined

/** Of a value with more parts than this, only the first issue is reported: there could be one in each part. */
const MAX_PARTS = 1000

function compileJsonSchema(schema: JsonSchema): Validate {
  firstErrorAjv ??= createAjv(false)
  const validate = firstErrorAjv.compile(schema)
  let validateAll: ValidateFunction | undefined
  return (value, path, issues) => {
    if (validate(value)) return
    let errors = validate.errors
    if (isSmall(value)) {
      allErrorsAjv ??= createAjv(true)
      validateAll ??= allErrorsAjv.compile(schema)
      validateAll(value)
      errors = validateAll.errors ?? errors
    }
    for (const it of (errors ?? []).slice(0, Math.max(0, MAX_ISSUES - issues.length))) issues.push(toIssue(it, path))
  }
}

function isSmall(value: unknown): boolean {
  const waiting: unknown[] = [value]
  for (let count = 0; waiting.length > 0; count++) {
    if (count + waiting.length > MAX_PARTS) return false
    const it = waiting.pop()
    if (typeof it !== 'object' || it === null) continue
    const parts = Array.isArray(it) ? it : Object.values(it)
    if (parts.length > MAX_PARTS) return false
    for (const part of parts) waiting.push(part)
  }
  return true
}

function createAjv(allErrors: boolean): Ajv2020 {
  // `strict: false` turns it off, but Infinity is not a number in JSON.
  const created = new Ajv2020({ allErrors, strict: false, strictNumbers: true, useDefaults: true })
  // The package is CommonJS with a default export inside its default export.
  ;(ajvFormats as unknown as typeof ajvFormats.default)(created)
  return created.removeKeyword('uniqueItems').addKeyword(uniqueItems)
}

function toIssue(
  { instancePath, keyword, params, message = 'is not valid' }: ErrorObject,
  path: RequestIssue['path'],
): RequestIssue {
  const inner = instancePath.split('/').slice(1).map(unescapePointer)
  const named = (params as Readonly<Record<string, unknown>>)[
    keyword === 'required' ? 'missingProperty' : 'additionalProperty'
  ]
  const place = [...path, ...inner, ...(typeof named === 'string' ? [named] : [])]
  if (keyword === 'required') return { path: place, code: keyword, message: 'is required' }
  if (keyword === 'additionalProperties') return { path: place, code: keyword, message: 'is not a known field' }
  return { path: place, code: keyword, message }
}

function unescapePointer(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')
}
