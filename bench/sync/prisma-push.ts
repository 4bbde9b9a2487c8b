// `prisma db push` on the same tables. Prisma 7 needs a native engine for it, which its own server has to send; the last
// releases before it could do with one in WebAssembly, which comes from the registry with it.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installPeer, shareDrivers } from '../support/peers.ts'

const RELEASE = '6.19.3'

export interface PrismaPush {
  readonly version: string
  /** Writes a project whose database is this file, and answers the arguments that push its schema. */
  prepare(name: string, file: string, models: string): Promise<PushCommand>
}

export interface PushCommand {
  readonly cwd: string
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export async function installPrisma(folder: string): Promise<PrismaPush | undefined> {
  const home = join(folder, 'prisma')
  await mkdir(home)
  const version = await installPeer(home, `prisma@${RELEASE}`, `@prisma/adapter-better-sqlite3@${RELEASE}`)
  if (version === undefined) return undefined
  await shareDrivers(home, ['better-sqlite3', 'bindings', 'file-uri-to-path'])
  return {
    version,
    async prepare(name, file, models) {
      const schema = `datasource db {\n  provider = "sqlite"\n  url = "file:${file}"\n}\n${models}\n`
      await writeFile(join(home, `${name}.prisma`), schema)
      const config = `import { PrismaBetterSQLite3 } from '@prisma/adapter-better-sqlite3'
const adapter = async () => new PrismaBetterSQLite3({ url: ${JSON.stringify(`file:${file}`)} })
export default { engine: 'js', experimental: { adapter: true }, schema: './${name}.prisma', adapter }\n`
      await writeFile(join(home, `${name}.config.ts`), config)
      return {
        cwd: home,
        program: join(home, 'node_modules/prisma/build/index.js'),
        args: ['db', 'push', '--skip-generate', '--config', `${name}.config.ts`],
        env: withoutEngines(),
      }
    },
  }
}

/** The native engines are not used; naming any file keeps Prisma from asking for them. */
function withoutEngines(): Record<string, string> {
  const engines = ['PRISMA_SCHEMA_ENGINE_BINARY', 'PRISMA_QUERY_ENGINE_LIBRARY', 'PRISMA_QUERY_ENGINE_BINARY']
  return { CHECKPOINT_DISABLE: '1', ...Object.fromEntries(engines.map((it) => [it, process.execPath])) }
}

/** One of many tables. */
export function prismaModel(n: number, isLast: boolean): string {
  const rules = 'onDelete: Restrict, onUpdate: Restrict'
  const link =
    n === 0
      ? '  parent Float?'
      : `  parent Int?\n  up t${n - 1}? @relation(fields: [parent], references: [id], ${rules})`
  const down = isLast ? '' : `\n  down t${n + 1}[]`
  return `model t${n} {
  id Int @id
${link}${down}
  a String
  b String
  c Float
  d Boolean
  e String?
  f Float @default(1)
  @@index([a], map: "t${n}__a")
}`
}

/** The one with many rows. */
export function prismaBig(mark: string): string {
  return `model big {
  id Int @id
  a String
  b String${mark}
  c Float
  d Boolean
  e String
  @@index([a], map: "big__a")
}`
}
