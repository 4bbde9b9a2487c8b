// The same tables in two schema languages: a number of interfaces of ten fields each.

const perFile = 50

/** @param {number} count @returns {{ path: string, text: string }[]} */
export function porticoSources(count) {
  const files = []
  for (let first = 0; first < count; first += perFile) {
    const size = Math.min(perFile, count - first)
    const tables = Array.from({ length: size }, (_, offset) => porticoTable(first + offset))
    files.push({ path: `file${files.length}.portico`, text: tables.join('\n') })
  }
  return files
}

/** @param {number} index */
function porticoTable(index) {
  return `@db.table 'accounts_${index}'
export interface Account${index} {
  @meta.id
  @db.default.increment
  id: number
  @db.index.unique
  email: string.email
  name: string
  @db.default 'member'
  role: 'admin' | 'member'
  @db.column.precision 12, 2
  balance: decimal
  active: boolean
  score?: number
  visits: number.int
  createdAt: number.timestamp.created
  updatedAt: number.timestamp.updated
}
`
}

/** @param {number} count */
export function prismaSchema(count) {
  const models = Array.from({ length: count }, (_, index) => prismaModel(index))
  return `generator client {
  provider = "prisma-client"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
}

enum Role {
  admin
  member
}

${models.join('\n')}`
}

/** @param {number} index */
function prismaModel(index) {
  return `model Account${index} {
  id        Int      @id @default(autoincrement())
  email     String   @unique
  name      String
  role      Role     @default(member)
  balance   Decimal  @db.Decimal(12, 2)
  active    Boolean
  score     Float?
  visits    Int
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt

  @@map("accounts_${index}")
}
`
}
