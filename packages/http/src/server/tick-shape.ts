import { executionAsyncResource } from 'node:async_hooks'

/**
 * Keeps `process.nextTick` quick, which every request needs several times. What it queues is made by a literal with
 * computed keys, whose shape V8 forgets once none is left for a few garbage collections, as on a server without work.
 * It does not compile the literal well again after that (in Node 20, 22 and 24). One that is kept keeps the shape.
 */
const kept: object[] = []

// As soon as this is loaded: until a server is made, it may have been forgotten already.
process.nextTick(() => kept.push(executionAsyncResource()))
