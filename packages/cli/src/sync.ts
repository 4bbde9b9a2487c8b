import type { Command } from './command.ts'

/** `portico sync` */
export const sync: Command = {
  summary: 'bring the database up to what the schema declares',
  help: `Usage: portico sync [options]

Compares the database with the schema, shows what differs and changes it. The schema and the database are named in
portico.config.ts. What would lose or rewrite something is refused until it is allowed by name. What sync made and
nothing declares any more is kept and named. While generated modules are missing or stale nothing is done.

Options:
  --plan            show what would be done, and change nothing; exit 1 when it would be refused
  --check           show what differs, and change nothing; exit 1 when anything does. What is kept does not count
  --drop-unused     show what is kept although nothing declares it, and the command that drops it; change nothing
  --sql [file]      write what would be done as a script, to the output or a file, and change nothing;
                    on SQLite and PostgreSQL
  --allow <words>   allow a step, as its refusal tells: --allow 'drop users.bio'. May be repeated
  --config <file>   the configuration, instead of the nearest portico.config.ts
  --json            results as JSON on the output

Exit codes: 0 all is well, 1 the database differs or the sync was refused, 2 the command could not be carried out.

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
  // Loaded only when it is asked for: the other commands need no database.
  run: async (invocation) => (await import('./run-sync.ts')).runSync(invocation),
}
