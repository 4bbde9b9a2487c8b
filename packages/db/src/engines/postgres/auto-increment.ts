import type { InsertOperation } from '../../contract/operation.ts'
import { quoteName, quotePlace, quoteText } from '../../sql/dialect.ts'

/**
 * Puts a sequence that is at its end back to the highest number that is stored. One block, so that of several which
 * find it at its end only the first changes it: after that it is lower, and numbers behind it are in use.
 */
export function compileRestart({ plan, counted }: InsertOperation): string {
  const preset = counted!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  const table = quotePlace(plan.place)
  const body = `DECLARE
      s regclass := pg_get_serial_sequence(${quoteText(table)}, ${quoteText(counted!.name)});
      m bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('portico sequence'), hashtext(s::text));
      IF pg_sequence_last_value(s) >= (SELECT seqmax FROM pg_sequence WHERE seqrelid = s) THEN
        SELECT max(${quoteName(counted!.name)}) INTO m FROM ${table};
        PERFORM setval(s, greatest(m, ${start}), coalesce(m >= ${start}, false));
      END IF;
    END`
  return `DO ${quoteText(body)}`
}
