import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from './errors.ts'

/** Runs a transaction, and again when it and others got in each other's way: nothing of it was kept then. */
export async function retryConflicts<T>(attempt: () => Promise<T>, retries = 10): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= retries || !(error instanceof DbError && error.code === 'SERIALIZATION_FAILED')) throw error
      // Growing waits of random length: those that collided once do not collide again.
      await sleep(Math.random() * Math.min(2 ** count * 5, 500))
    }
  }
}
