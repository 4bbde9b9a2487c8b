import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from './errors.ts'

/** Runs a whole transaction, again when it got in the way of others: nothing of it was kept then. */
export async function retryConflicts<T>(work: () => Promise<T>, retries = 10): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= retries || !(error instanceof DbError && error.code === 'SERIALIZATION_FAILED')) throw error
      // Growing waits of random length: those that collided once do not collide again.
      await sleep(Math.random() * Math.min(2 ** attempt * 5, 500))
    }
  }
}
