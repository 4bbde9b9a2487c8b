import type { TablePlan } from '../../contract/plan.ts'
import { DbError } from '../../errors.ts'
import { type Document, loadDriver } from './driver.ts'

/** What a document may have at most. https://www.mongodb.com/docs/manual/reference/limits/#bson-documents */
const MAX_BYTES = 16 * 2 ** 20

/**
 * The reason of a failed command, where what was sent is larger than a server takes: some close the connection then,
 * which looks like a server that is gone, and others refuse it with a code that says nothing of it.
 */
export async function explainSize(error: unknown, sent: readonly unknown[], plan: TablePlan): Promise<unknown> {
  if (!(error instanceof DbError) || !['UNAVAILABLE', 'QUERY_FAILED'].includes(error.code)) return error
  const { BSON } = await loadDriver()
  const isLarge = (value: unknown): boolean => BSON.calculateObjectSize({ value } as Document) > MAX_BYTES
  if (!sent.some(isLarge)) return error
  const reason = `table \`${plan.name}\`: the record or filter is larger than the 16 MB that MongoDB takes`
  return new DbError('CONSTRAINT_VIOLATION', reason, { cause: error.cause })
}
