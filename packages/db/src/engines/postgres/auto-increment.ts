import type { InsertOperation } from '../../contract/operation.ts'
import type { TablePlan } from '../../contract/plan.ts'
import { quoteName, quoteTableName, quoteText } from '../../sql/dialect.ts'

/**
 * Puts a sequence that is at its end back to the highest number that is stored. One block, so that of several which
 * find it at its end only the first changes it: after that it is lower, and numbers behind it are in use.
 */
export function compileRestart({ plan, autoIncrement }: InsertOperation): string {
  const preset = autoIncrement!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  const table = quoteTableName(plan.tableName)
  const body = `DECLARE
      s regclass := pg_get_serial_sequence(${quoteText(table)}, ${quoteText(autoIncrement!.name)});
      m bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('portico sequence'), hashtext(s::text));
      IF pg_sequence_last_value(s) >= (SELECT seqmax FROM pg_sequence WHERE seqrelid = s) THEN
        SELECT max(${quoteName(autoIncrement!.name)}) INTO m FROM ${table};
        PERFORM setval(s, greatest(m, ${start}), coalesce(m >= ${start}, false));
      END IF;
    END`
  return `DO ${quoteText(body)}`
}

/** Moves a sequence behind the highest of these numbers, unless it is there already or none of them is its own. */
export function compileAdvance(
  plan: TablePlan,
  numbers: readonly number[],
): { readonly text: string; readonly values: unknown[] } | undefined {
  const preset = plan.autoIncrement!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  const highest = numbers.reduce((most, it) => Math.max(most, it), Number.MIN_SAFE_INTEGER)
  if (highest < start) return undefined
  const text = `SELECT setval("s", $1) FROM (SELECT pg_get_serial_sequence($2, $3)::regclass AS "s") AS "q"
      WHERE $1::bigint > coalesce(pg_sequence_last_value("s"), $4::bigint)`
  return { text, values: [highest, quoteTableName(plan.tableName), plan.autoIncrement!.name, start - 1] }
}
