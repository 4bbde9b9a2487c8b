import type { Command } from './command.ts'

/** `portico sync` */
export const sync: Command = {
  summary: 'update the database to match the schema',
  help: `Usage: portico sync [options]

Compares the database with the schema, shows the differences and applies them. The schema and the database are set in
portico.config.ts. Steps that would lose or rewrite data are refused until you allow them by name. Tables and columns
that sync created and the schema no longer declares are kept and listed. If generated modules are missing or out of
date, nothing is done.

Options:
  --plan            show the steps and change nothing; exit with 1 if they would be refused
  --check           show the differences and change nothing; exit with 1 if there are any. Kept tables and columns
                    do not count
  --drop-unused     list tables and columns that are no longer declared, with the command that drops them;
                    change nothing
  --sql [file]      write the steps as an SQL script, to standard output or a file, and change nothing;
                    for SQLite and PostgreSQL
  --allow <step>    allow a refused step, with the words of the refusal: --allow 'drop users.bio'. Repeatable
  --config <file>   configuration file (default: portico.config.ts here or in a parent folder)
  --json            print results as JSON

Exit codes: 0 success, 1 the database differs from the schema or the sync was refused, 2 the command failed.

Examples:
  portico sync --plan
  portico sync --allow 'drop users.bio'
  portico sync --sql migration.sql
  portico sync --check              in continuous integration`,
  options: {
    plan: { type: 'boolean' },
    check: { type: 'boolean' },
    'drop-unused': { type: 'boolean' },
    sql: { type: 'string', optional: true },
    allow: { type: 'string', multiple: true },
    config: { type: 'string' },
  },
  // Imported lazily: the other commands do not need the database package.
  run: async (invocation) => (await import('./run-sync.ts')).runSync(invocation),
}
