import type { InsertOperation } from '../../contract/operation.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { quoteName, quoteTableName, quoteText } from '../../sql/dialect.ts'

/**
 * Sets an exhausted sequence back to the highest stored number. It is one block, so that of several callers only the
 * first changes the sequence: the others find it lower already, with numbers after it in use.
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

/** Advances a sequence past the highest of these numbers. Returns undefined if all are below its start. */
export function compileAdvance(
  plan: TablePlan,
  numbers: readonly number[],
): { readonly text: string; readonly values: unknown[] } | undefined {
  const preset = plan.autoIncrement!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  const highest = numbers.reduce((max, it) => Math.max(max, it), Number.MIN_SAFE_INTEGER)
  if (highest < start) return undefined
  const text = `SELECT setval("s", $1) FROM (SELECT pg_get_serial_sequence($2, $3)::regclass AS "s") AS "q"
      WHERE $1::bigint > coalesce(pg_sequence_last_value("s"), $4::bigint)`
  return { text, values: [highest, quoteTableName(plan.tableName), plan.autoIncrement!.name, start - 1] }
}
