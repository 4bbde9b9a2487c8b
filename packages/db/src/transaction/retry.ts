import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from '../errors.ts'

/** Runs a sync, and again when somebody else was making the same things: then there is less to do, or nothing. */
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
      // Whoever was first needs some time to finish.
      await sleep((0.5 + Math.random()) * Math.min(2 ** count * 25, 1000))
    }
  }
}

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
