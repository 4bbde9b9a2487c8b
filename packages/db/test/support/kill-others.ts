import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const programs = {
  postgres: `
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: process.argv[1] })
    await client.connect()
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    await client.end()`,
  mysql: `
    const { createConnection } = await import('mysql2/promise')
    const client = await createConnection(process.argv[1])
    const find = 'select id from information_schema.processlist where db = database() and id <> connection_id()'
    const [rows] = await client.query(find)
    for (const { id } of rows) await client.query('kill ' + id)
    while ((await client.query(find))[0].length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await client.end()`,
}

/** Ends all connections to a database synchronously, so that the program notices it only at its next call. */
export function killOthers(name: keyof typeof programs, url: string): void {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['--input-type=module', '-e', programs[name], url], { cwd })
}
