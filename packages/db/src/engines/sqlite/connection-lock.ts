import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/**
 * One connection, used by one transaction at a time: who comes while one is open waits. Outside of transactions calls
 * are whole in themselves and run at once. While another process holds the file's lock, calls are tried again, with
 * the event loop free in between.
 */
export class ConnectionLock {
  readonly #busyTimeoutMs: number
  readonly #waiting: (() => void)[] = []
  #isHeld = false

  constructor(busyTimeoutMs: number) {
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** Whether a transaction has the connection. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Runs `work` outside of any transaction, when its turn has come. */
  async run<T>(work: () => T): Promise<T> {
    const deadline = Date.now() + this.#busyTimeoutMs
    for (;;) {
      // A transaction may have begun during a pause: this call is no part of it.
      while (this.#isHeld) await this.#turn()
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error
        await pause()
      }
    }
  }

  /** Takes the connection for a transaction, which `begin` starts. */
  async acquire(begin: () => void): Promise<void> {
    while (this.#isHeld) await this.#turn()
    this.#isHeld = true
    try {
      await this.retry(begin)
    } catch (error) {
      this.release()
      throw error
    }
  }

  release(): void {
    this.#isHeld = false
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Tries what the holder of the connection does until the file is free. */
  async retry<T>(work: () => T): Promise<T> {
    const deadline = Date.now() + this.#busyTimeoutMs
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error
        await pause()
      }
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

/** Waits of random length: writers that collided once do not collide again. */
function pause(): Promise<void> {
  return sleep(1 + Math.random() * 9)
}
