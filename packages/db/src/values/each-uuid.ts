/** Fills each row with a new UUID (version 7). */
export class EachUuid {
  /** The time in the UUIDs. */
  readonly now: number

  constructor(now: number) {
    this.now = now
  }

  /** The common start of all of them, up to the version digit. */
  get head(): string {
    const time = this.now.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7`
  }
}
