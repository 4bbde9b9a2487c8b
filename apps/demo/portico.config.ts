import { fileURLToPath } from 'node:url'
import { defineConfig } from '@portico/cli'
import { chooseAdapter } from './src/database.ts'

const folder = process.env['PORTICO_DEMO_DATA'] || fileURLToPath(new URL('data', import.meta.url))

export default defineConfig({
  // The tables of the authorization server are in the same database.
  schema: ['src', '../../packages/auth-server/src/tables'],
  database: () => chooseAdapter(process.env['PORTICO_DATABASE_URL'], folder),
  app: 'src/spec-app.ts',
  main: 'src/main.ts',
  server: 'http://127.0.0.1:3000',
})
