/** Savepoints as servers take them; SQLite's words differ. */
export class Savepoints {
  readonly #run: (text: string) => Promise<unknown>

  constructor(run: (text: string) => Promise<unknown>) {
    this.#run = run
  }

  async set(depth: number): Promise<void> {
    await this.#run(`SAVEPOINT portico_${depth}`)
  }

  async release(depth: number): Promise<void> {
    await this.#run(`RELEASE SAVEPOINT portico_${depth}`)
  }

  async rollbackTo(depth: number): Promise<void> {
    await this.#run(`ROLLBACK TO SAVEPOINT portico_${depth}`)
    await this.release(depth)
  }
}
