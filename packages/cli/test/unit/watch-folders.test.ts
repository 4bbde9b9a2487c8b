import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { watchFolders } from '../../dist/watch.js'
import { makeFolder } from '../support/cli.ts'

it('sees a change during the first round, before anything is watched', async () => {
  const folder = makeFolder({})
  const stop = new AbortController()
  let rounds = 0
  await watchFolders(stop.signal, () => {
    rounds += 1
    if (rounds === 1) writeFileSync(join(folder, 'a.portico'), 'type A = 1\n')
    else stop.abort()
    return [folder]
  })
  expect(rounds).toBe(2)
}, 10_000)

it('runs again if a folder is removed before it is watched', async () => {
  const folder = makeFolder({})
  const stop = new AbortController()
  let rounds = 0
  await watchFolders(stop.signal, () => {
    rounds += 1
    if (rounds === 1) return [folder, join(folder, 'gone')]
    stop.abort()
    return [folder]
  })
  expect(rounds).toBe(2)
}, 10_000)
