import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from '../errors.ts'

/** Runs a sync, and again if another one was creating the same objects: the next attempt finds less to do. */
export async function retryRaces<T>(
  attempt: () => Promise<T>,
  isRaced: (error: unknown) => boolean,
  retries = 8,
): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= retries || !isRaced(error)) throw error
      // The other one needs some time to finish.
      await sleep((0.5 + Math.random()) * Math.min(2 ** count * 25, 1000))
    }
  }
}

/** Runs a transaction, and again after a conflict, when it was rolled back. */
export async function retryConflicts<T>(attempt: () => Promise<T>, retries = 10): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= retries || !(error instanceof DbError && error.code === 'SERIALIZATION_FAILED')) throw error
      // Exponential backoff with jitter, so that the same transactions do not collide again.
      await sleep(Math.random() * Math.min(2 ** count * 5, 500))
    }
  }
}
