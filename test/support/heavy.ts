/** The count of a heavy test: in full when `CI=true`, a tenth of it otherwise, so that `npm test` stays quick. */
export function heavy(count: number): number {
  return process.env['CI'] === 'true' ? count : Math.ceil(count / 10)
}
