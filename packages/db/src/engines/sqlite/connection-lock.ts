import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/**
 * Gives one connection to one transaction at a time; all other calls wait. Outside of transactions, calls run at once,
 * since each is synchronous. While another process holds the file lock, calls are retried without blocking the event
 * loop.
 */
export class ConnectionLock {
  readonly #busyTimeoutMs: number
  readonly #waiting: (() => void)[] = []
  #isHeld = false

  constructor(busyTimeoutMs: number) {
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** True while a transaction has the connection. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Runs `work` outside of transactions, when the connection is free. */
  async run<T>(work: () => T): Promise<T> {
    const deadline = Date.now() + this.#busyTimeoutMs
    for (;;) {
      // A transaction may have begun during a pause, and this call does not belong to it.
      while (this.#isHeld) await this.#turn()
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error
        await pause()
      }
    }
  }

  /** Acquires the connection for a transaction, which `begin` starts. */
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

  /** Retries work of the transaction that has the connection, until the file is free. */
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

/** Pauses for a random time, so that writers that collided once do not collide again. */
function pause(): Promise<void> {
  return sleep(1 + Math.random() * 9)
}
