/** A fill that is another uuid (version 7) in each row. */
export class EachUuid {
  /** The time that the uuids begin with. */
  readonly now: number

  constructor(now: number) {
    this.now = now
  }

  /** What all of them begin with, up to the digit that tells the version. */
  get head(): string {
    const time = this.now.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7`
  }
}
