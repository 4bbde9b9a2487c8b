import type { Command } from './command.ts'

/** `portico sync` */
export const sync: Command = {
  summary: 'update the database to match the schema',
  help: `Usage: portico sync [options]

Compares the database with the schema, shows the differences and applies them. portico.config.ts names the schema and
the database. Steps that would lose or rewrite data are refused until they are allowed by name. Tables, columns and
indexes that sync created and that are no longer declared are kept and listed. Nothing runs while generated modules
are missing or stale.

Options:
  --plan            show the steps and change nothing; exit 1 if they would be refused
  --check           show the differences and change nothing; exit 1 if there are any. Kept objects do not count
  --drop-unused     list kept objects and the command that drops them; change nothing
  --sql [file]      write the steps as an SQL script to standard output or a file, and change nothing;
                    SQLite and PostgreSQL only
  --allow <words>   allow a step as named in its refusal: --allow 'drop users.bio'. May be repeated
  --config <file>   use this configuration instead of the nearest portico.config.ts
  --json            print results as JSON

Exit codes: 0 success, 1 the database differs or the sync was refused, 2 the command failed.

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
  // Loaded on demand: other commands need no database.
  run: async (invocation) => (await import('./run-sync.ts')).runSync(invocation),
}
