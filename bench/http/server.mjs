// One contender as a separate server: `node --expose-gc server.mjs <contender> <folder of the peers>`. Reports its port
// and, on request, the processor time it has used; `settle` collects garbage first.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'

const [, , contender = '', peers = ''] = process.argv
const resolvePeer = createRequire(join(peers, 'index.js')).resolve

const item = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'count', 'tags'],
  additionalProperties: false,
}
const itemResponse = {
  type: 'object',
  properties: { id: { type: 'number' }, page: { type: 'number' }, name: { type: 'string' } },
}
const storedResponse = { type: 'object', properties: { id: { type: 'number' }, ...item.properties } }
const thing = { region: 'eu', code: 1, title: 'One of many' }

/** @type {Record<string, () => Promise<number>>} */
const contenders = { raw, fastify, fastifyAlike, portico, hono, nest, table, tableByHand }

const start = contenders[contender]
if (!start) throw new Error(`no contender ${contender}`)
process.send?.({ port: await start() })
process.on('message', (asked) => void answerParent(asked))
process.on('disconnect', () => process.exit())

/** @param {unknown} asked */
async function answerParent(asked) {
  if (asked === 'settle') await settle()
  process.send?.({ cpu: process.cpuUsage() })
}

/**
 * Collects garbage while the server is idle, which happens to every server sooner or later. From then on
 * `process.nextTick` is slower, by microseconds per request: V8 drops the hidden class of queued entries if none exists
 * during several collections. Doing it here makes all contenders comparable.
 */
async function settle() {
  for (let collected = 0; collected < 5; collected++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc?.()
  }
}

/** @param {string} name */
function loadPeer(name) {
  return import(pathToFileURL(resolvePeer(name)).href)
}

/** @param {string} address */
function portOf(address) {
  return Number(new URL(address).port)
}

/** Only Node and Ajv: the upper limit. */
async function raw() {
  const validate = new Ajv2020().compile(item)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (request.method === 'GET')
      return answer(response, 200, {
        id: Number(url.pathname.slice(7)),
        page: Number(url.searchParams.get('page')),
        name: 'item',
      })
    let text = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    return request.on('end', () => {
      const body = JSON.parse(text)
      if (validate(body)) answer(response, 201, { id: 1, .../** @type {object} */ (body) })
      else answer(response, 400, { code: 'VALIDATION_FAILED' })
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} body */
function answer(response, status, body) {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

async function fastify() {
  const { fastify: create } = await import('fastify')
  return serveItems(create())
}

/** With what every answer of ours has too: a request id, a proxy's where there is one, and a limit for slow requests. */
async function fastifyAlike() {
  const { fastify: create } = await import('fastify')
  const app = create({ requestTimeout: 30_000, genReqId: readRequestId })
  addRequestIds(app)
  return serveItems(app)
}

/** @param {{ headers: import('node:http').IncomingHttpHeaders }} request */
function readRequestId({ headers }) {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}

/** @param {import('fastify').FastifyInstance} app */
function addRequestIds(app) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}

/** @param {import('fastify').FastifyInstance} app */
async function serveItems(app) {
  const ajv = new Ajv2020({ coerceTypes: 'array' })
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema))
  const params = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }
  const querystring = { type: 'object', properties: { page: { type: 'number' } }, required: ['page'] }
  app.get('/items/:id', { schema: { params, querystring, response: { 200: itemResponse } } }, async (request) => {
    const { id } = /** @type {{ id: number }} */ (request.params)
    const { page } = /** @type {{ page: number }} */ (request.query)
    return { id, page, name: 'item' }
  })
  app.post('/items', { schema: { body: item, response: { 201: storedResponse } } }, async (request, reply) => {
    reply.code(201)
    return { id: 1, .../** @type {object} */ (request.body) }
  })
  return portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
}

async function portico() {
  const { Body, Controller, createApp, Get, Param, Post, Query, Status } = await import('@portico/http')
  class Items {
    /** @param {number} id @param {number} page */
    async find(id, page) {
      return { id, page, name: 'item' }
    }
    /** @param {object} body */
    async create(body) {
      return { id: 1, ...body }
    }
  }
  decorate(Items, 'find', [Get('/:id')], [Param('id', Number), Query('page', Number)])
  decorate(Items, 'create', [Post(), Status(201)], [Body(item)])
  Controller('/items')(Items)
  return portOf(await createApp().register(Items).listen())
}

async function hono() {
  const { Hono } = await loadPeer('hono')
  const { serve } = await loadPeer('@hono/node-server')
  const validate = new Ajv2020().compile(item)
  const app = new Hono()
  app.get('/items/:id', (/** @type {any} */ c) =>
    c.json({ id: Number(c.req.param('id')), page: Number(c.req.query('page')), name: 'item' }),
  )
  app.post('/items', async (/** @type {any} */ c) => {
    const body = await c.req.json()
    return validate(body)
      ? c.json({ id: 1, .../** @type {object} */ (body) }, 201)
      : c.json({ code: 'VALIDATION_FAILED' }, 400)
  })
  return new Promise((resolve) =>
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (/** @type {any} */ it) => resolve(it.port)),
  )
}

async function nest() {
  await loadPeer('reflect-metadata')
  const { Body, Controller, Get, HttpCode, Module, Param, ParseIntPipe, Post, Query, ValidationPipe } =
    await loadPeer('@nestjs/common')
  const { NestFactory } = await loadPeer('@nestjs/core')
  const { FastifyAdapter } = await loadPeer('@nestjs/platform-fastify')
  const { IsArray, IsInt, IsString, Min, MinLength } = await loadPeer('class-validator')
  class Item {}
  for (const rule of [IsString(), MinLength(1)]) rule(Item.prototype, 'title')
  for (const rule of [IsInt(), Min(0)]) rule(Item.prototype, 'count')
  for (const rule of [IsArray(), IsString({ each: true })]) rule(Item.prototype, 'tags')
  class Items {
    /** @param {number} id @param {number} page */
    async find(id, page) {
      return { id, page, name: 'item' }
    }
    /** @param {object} body */
    async create(body) {
      return { id: 1, ...body }
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Item], Items.prototype, 'create')
  decorate(Items, 'find', [Get('/:id')], [Param('id', ParseIntPipe), Query('page', ParseIntPipe)])
  decorate(Items, 'create', [Post(), HttpCode(201)], [Body()])
  Controller('/items')(Items)
  class App {}
  Module({ controllers: [Items] })(App)
  const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false })
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }))
  await app.listen(0, '127.0.0.1')
  return portOf(await app.getUrl())
}

async function table() {
  const { createApp, tableController } = await import('@portico/http')
  const { openDatabase } = await import('@portico/db')
  const { sqlite } = await import('@portico/db/sqlite')
  const { Group, suiteTables } = await import('@portico/db/testing')
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(suiteTables)
  await db.table(Group).insertMany(Array.from({ length: 1000 }, (_, code) => ({ ...thing, code })))
  return portOf(
    await createApp()
      .register(tableController(Group, { db, route: 'groups' }))
      .listen(),
  )
}

async function tableByHand() {
  const { fastify: create } = await import('fastify')
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(':memory:')
  db.exec(
    'create table groups (region text not null, code real not null, title text not null, primary key (region, code))',
  )
  const insert = db.prepare('insert into groups values (?, ?, ?)')
  for (let code = 0; code < 1000; code++) insert.run(thing.region, code, thing.title)
  const find = db.prepare('select region, code, title from groups where region = ? and code = ?')
  const app = create()
  const ajv = new Ajv2020({ coerceTypes: 'array' })
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema))
  const querystring = {
    type: 'object',
    properties: { region: { type: 'string' }, code: { type: 'integer' } },
    required: ['region', 'code'],
    additionalProperties: false,
  }
  const group = {
    type: 'object',
    properties: { region: { type: 'string' }, code: { type: 'number' }, title: { type: 'string' } },
  }
  app.get('/groups/one', { schema: { querystring, response: { 200: group } } }, async (request, reply) => {
    const { region, code } = /** @type {{ region: string, code: number }} */ (request.query)
    return find.get(region, code) ?? reply.code(404).send({ code: 'RECORD_NOT_FOUND' })
  })
  return portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
}

/** Applies decorators like a compiler. @param {Function} type @param {string} name @param {Function[]} onMethod @param {Function[]} onParameters */
function decorate(type, name, onMethod, onParameters) {
  for (const [index, it] of onParameters.entries()) it(type.prototype, name, index)
  for (const it of onMethod.toReversed())
    it(type.prototype, name, Object.getOwnPropertyDescriptor(type.prototype, name))
}
