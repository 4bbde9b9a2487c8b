// Describes equal controllers with one contender: `node --expose-gc worker.mjs <portico|nest> <operations> <folder of the
// peers>` prints how long the first description took and how long the later ones, and what they hold.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as http from '@portico/http'
import { defineType } from '@portico/schema/runtime'
import { createSpec } from '@portico/spec'

const [, , contender = '', count = '', folder = ''] = process.argv
const again = 9
const resources = Number(count) / 5

const describe = await (contender === 'portico' ? Promise.resolve(preparePortico()) : prepareNest())
// Garbage of building the app must not be collected during the measurement.
globalThis.gc?.()
const first = time(describe)
const { paths, components } = /** @type {any} */ (first.result)
const found = Object.values(paths).flatMap((item) => Object.keys(item)).length
if (found !== Number(count)) throw new Error(`${contender} describes ${found} operations`)
if (Object.keys(components.schemas).length < resources * 1.5) throw new Error(`${contender} misses types`)
const later = Array.from({ length: again }, () => time(describe))
console.log(JSON.stringify({ first: first.ms, cpu: first.cpuMs, later: later.map((it) => it.ms) }))
process.exit(0)

/** @param {() => unknown} work */
function time(work) {
  const before = process.cpuUsage()
  const started = performance.now()
  const result = work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000, result }
}

/** Three types for two resources: one of each, and one that they share. */
function typeNames() {
  return Array.from({ length: Math.floor(resources * 1.5) }, (_, index) => `Type${index}`)
}

function preparePortico() {
  const types = typeNames().map((name, index) => {
    /** @type {Record<string, object>} */
    const properties = { id: { type: 'number' }, name: { type: 'string', description: 'Its name.' } }
    for (const field of ['color', 'place', 'owner', 'note']) properties[field] = { type: 'string' }
    if (index > 0) properties['parent'] = { $ref: `#/$defs/Part` }
    const part = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] }
    const jsonSchema = { type: 'object', properties, required: ['id', 'name'], $defs: { Part: part } }
    return defineType({ name, jsonSchema, check: () => {} })
  })
  const controllers = Array.from({ length: resources }, (_, index) => {
    const type = types[index % types.length]
    const shared = types[resources + Math.floor(index / 2)] ?? type
    const controller = class {
      list() {}
      create() {}
      find() {}
      change() {}
      remove() {}
    }
    Object.defineProperty(controller, 'name', { value: `Controller${index}` })
    const { prototype } = controller
    http.Controller(`/items-${index}`)(controller)
    const id = http.Param('id', Number)
    http.Get()(prototype, 'list')
    http.Query('page', Number)(prototype, 'list', 0)
    http.Returns(/** @type {any} */ ([type]))(prototype, 'list')
    http.Post()(prototype, 'create')
    http.Body(type)(prototype, 'create', 0)
    http.Returns(type)(prototype, 'create')
    http.Get('/:id')(prototype, 'find')
    id(prototype, 'find', 0)
    http.Returns(type)(prototype, 'find')
    http.Patch('/:id')(prototype, 'change')
    id(prototype, 'change', 0)
    http.Body(shared)(prototype, 'change', 1)
    http.Returns(type)(prototype, 'change')
    http.Delete('/:id')(prototype, 'remove')
    id(prototype, 'remove', 0)
    for (const name of ['list', 'create', 'find', 'change', 'remove']) http.Label(`${name} items`)(prototype, name)
    return controller
  })
  // The other contender has its routes together before it is asked, too.
  const { routes } = http.createApp().register(...controllers)
  return () => createSpec(routes)
}

async function prepareNest() {
  const require = createRequire(join(folder, 'index.js'))
  require('reflect-metadata')
  const common = require('@nestjs/common')
  const { NestFactory } = require('@nestjs/core')
  const swagger = require('@nestjs/swagger')
  const design = (
    /** @type {string} */ key,
    /** @type {unknown} */ value,
    /** @type {object} */ target,
    /** @type {string} */ property,
  ) => Reflect.defineMetadata(`design:${key}`, value, target, property)
  class Part {}
  design('type', Number, Part.prototype, 'size')
  swagger.ApiProperty()(Part.prototype, 'size')
  const types = typeNames().map((name, index) => {
    const type = class {}
    Object.defineProperty(type, 'name', { value: name })
    const add = (/** @type {string} */ field, /** @type {unknown} */ kind, options = {}) => {
      design('type', kind, type.prototype, field)
      swagger.ApiProperty(options)(type.prototype, field)
    }
    add('id', Number)
    add('name', String, { description: 'Its name.' })
    for (const field of ['color', 'place', 'owner', 'note']) add(field, String, { required: false })
    if (index > 0) add('parent', Part, { required: false })
    return type
  })
  const controllers = Array.from({ length: resources }, (_, index) => {
    const type = types[index % types.length]
    const shared = types[resources + Math.floor(index / 2)] ?? type
    const controller = class {
      list() {}
      create() {}
      find() {}
      change() {}
      remove() {}
    }
    Object.defineProperty(controller, 'name', { value: `Controller${index}` })
    const { prototype } = controller
    const method = (
      /** @type {string} */ name,
      /** @type {unknown[]} */ parameters,
      /** @type {Function[]} */ ...decorators
    ) => {
      design('paramtypes', parameters, prototype, name)
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
      for (const decorator of decorators) decorator(prototype, name, descriptor)
      swagger.ApiOperation({ summary: `${name} items` })(prototype, name, descriptor)
    }
    common.Query('page')(prototype, 'list', 0)
    method('list', [Number], common.Get(), swagger.ApiOkResponse({ type: [type] }))
    common.Body()(prototype, 'create', 0)
    method('create', [type], common.Post(), swagger.ApiCreatedResponse({ type }))
    common.Param('id')(prototype, 'find', 0)
    method('find', [Number], common.Get(':id'), swagger.ApiOkResponse({ type }))
    common.Param('id')(prototype, 'change', 0)
    common.Body()(prototype, 'change', 1)
    method('change', [Number, shared], common.Patch(':id'), swagger.ApiOkResponse({ type }))
    common.Param('id')(prototype, 'remove', 0)
    method('remove', [Number], common.Delete(':id'))
    common.Controller(`items-${index}`)(controller)
    return controller
  })
  class AppModule {}
  common.Module({ controllers })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.init()
  const config = new swagger.DocumentBuilder().setTitle('Items').build()
  return () => swagger.SwaggerModule.createDocument(app, config)
}
