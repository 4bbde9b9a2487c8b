import type { Clock } from '@portico/identity'

/** A clock that stops until a test moves it. */
export class TestClock implements Clock {
  time: number

  constructor(time = Date.UTC(2030, 0, 1)) {
    this.time = time
  }

  now(): number {
    return this.time
  }

  /** In whole seconds, as in tokens. */
  get sec(): number {
    return Math.floor(this.time / 1000)
  }

  advance(seconds: number): void {
    this.time += seconds * 1000
  }
}
