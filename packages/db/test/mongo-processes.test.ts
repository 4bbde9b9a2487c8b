import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { Group, Person, suiteTables } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'
import { runProgram } from './support/programs.ts'

const kills = heavy(30)

describe.skipIf(!hasMongo)('MongoDB and several programs', () => {
  const databases = useMongo()

  it(`a writer that is killed ${kills} times loses nothing that it said was stored, and leaves at most one insert half done`, {
    timeout: 300_000,
  }, async () => {
    const url = databases.create()
    await using db = await openDatabase(mongo({ url }))
    await db.sync(suiteTables)
    const said = new Set<number>()
    for (let kill = 0; kill < kills; kill++) {
      await using writer = runProgram('write-documents', [url])
      await writer.line(/^stored/)
      await sleep(randomInt(0, 40))
      await writer.kill()
      for (const line of writer.lines) said.add(Number(line.slice('stored '.length)))
      const counts = new Map<number, number>()
      for await (const { code, title } of db.table(Group).stream()) {
        expect(title).toHaveLength(code % 2000)
        counts.set(code, (counts.get(code) ?? 0) + 1)
      }
      for (const code of said) expect(counts.get(code)).toBe(3)
      // Unacknowledged writes: at most one insert per kill.
      expect([...counts.keys()].filter((code) => !said.has(code)).length).toBeLessThanOrEqual(kill + 1)
    }
    expect(said.size).toBeGreaterThanOrEqual(kills)
  })

  it('clients that increment one record with versions lose no update', { timeout: 60_000 }, async () => {
    const url = databases.create()
    const clients = await Promise.all(Array.from({ length: 8 }, () => openDatabase(mongo({ url }))))
    await clients[0]!.sync(suiteTables)
    const { id } = await clients[0]!.table(Person).insertOne({ name: 'shared', age: 0 })
    let written = 0
    let conflicts = 0
    await Promise.all(
      clients.map(async (db) => {
        for (let round = 0; round < heavy(100); round++) {
          const seen = await db.table(Person).findById(id)
          await db
            .table(Person)
            .updateOne({ ...seen!, age: seen!.age! + 1 })
            .then(
              () => (written += 1),
              (error: { code: string }) => {
                expect(error.code).toBe('VERSION_CONFLICT')
                conflicts += 1
              },
            )
        }
      }),
    )
    expect(await clients[0]!.table(Person).findById(id)).toMatchObject({ age: written, version: written + 1 })
    expect(conflicts).toBeGreaterThan(0)
    for (const db of clients) await db.close()
  })
})
