// Generated from other.portico by `portico generate`. Do not edit: change other.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'other.portico.ts')

export interface Tag {
  t: string
}

export const Tag: portico.Schema<Tag> = portico.defineType({
  name: 'Tag',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { t: { type: 'string' } },
    required: ['t'],
    additionalProperties: false,
  },
  check: checkTag,
})

function checkTag(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 't':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['t']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 't'], 'text')
  } else portico.missing(issues, path, 't')
}

export interface Task {
  u: string
}

export const Task: portico.Schema<Task> = portico.defineType({
  name: 'Task',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { u: { type: 'string' } },
    required: ['u'],
    additionalProperties: false,
  },
  check: checkTask,
})

function checkTask(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'u':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['u']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'u'], 'text')
  } else portico.missing(issues, path, 'u')
}

export interface Other {
  v: string
}

export const Other: portico.Schema<Other> = portico.defineType({
  name: 'Other',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { v: { type: 'string' } },
    required: ['v'],
    additionalProperties: false,
  },
  check: checkOther,
})

function checkOther(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'v':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['v']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'v'], 'text')
  } else portico.missing(issues, path, 'v')
}
