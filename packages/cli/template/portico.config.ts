import { defineConfig } from '@portico/cli'
import { createAdapter } from './src/database.js'

export default defineConfig({
  schema: 'src',
  database: createAdapter,
  app: 'src/app.ts',
  main: 'src/main.ts',
  server: `http://127.0.0.1:${process.env['PORT'] ?? 3000}`,
})
