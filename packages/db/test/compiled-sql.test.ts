import type { Queryable } from '@portico/db'
import { Group, Membership, Person, suiteTables, Team, Thing } from '@portico/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mysqlEngine, postgresEngine } from './support/engines.ts'
import { type Recording, recordings, recordMysql, recordPostgres, recordSqlite } from './support/recording.ts'

const id = '01a00000-0000-7000-8000-000000000001'

interface SqlCase {
  readonly name: string
  run(db: Queryable): Promise<unknown>
  readonly sqlite: readonly [text: string, ...params: unknown[]][]
  readonly postgres: readonly [text: string, ...params: unknown[]][]
  /** Left out where they are SQLite's but for the quotes of names. */
  readonly mysql?: readonly [text: string, ...params: unknown[]][]
}

/** Letters A to Z made small, and no others. */
function lowered(column: string): string {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
  return letters.reduce((text, letter) => `REPLACE(${text}, '${letter.toUpperCase()}', '${letter}')`, column)
}

function requote(statements: SqlCase['sqlite']): SqlCase['sqlite'] {
  return statements.map(([text, ...params]) => [
    text.replaceAll('"org__teams"', '"org"."teams"').replaceAll('"', '`'),
    ...params,
  ])
}

/** Statements that differ in their placeholders alone. */
function same(...statements: [text: string, ...params: unknown[]][]): Pick<SqlCase, 'sqlite' | 'postgres'> {
  const numbered = statements.map(([text, ...params]): [string, ...unknown[]] => {
    let position = 0
    return [text.replaceAll('?', () => `$${++position}`), ...params]
  })
  return { sqlite: statements, postgres: numbered }
}

function streamed(...codes: unknown[]): Pick<SqlCase, 'sqlite' | 'postgres'> {
  const columns = 'SELECT "title", "region", "code" FROM "groups"'
  const next = `${columns} WHERE ("region", "code") > (?, ?) ORDER BY "region", "code" LIMIT ?`
  return same(
    [`${columns} ORDER BY "region", "code" LIMIT ?`, 2],
    ...codes.map((code): [string, ...unknown[]] => [next, 'eu', code, 2]),
  )
}

const cases: readonly SqlCase[] = [
  {
    name: 'insertOne, counted key',
    run: (db) => db.table(Team).insertOne({ name: 'a' }),
    sqlite: [['BEGIN IMMEDIATE'], ['INSERT INTO "org__teams" ("name") VALUES (?)', 'a'], ['COMMIT']],
    postgres: [['INSERT INTO "org"."teams" ("name") VALUES ($1) RETURNING "id"', 'a']],
    mysql: [['INSERT INTO `org`.`teams` (`name`) VALUES (?)', 'a']],
  },
  {
    name: 'insertOne, given key',
    run: (db) => db.table(Group).insertOne({ region: 'eu', code: 1, title: "o'k" }),
    ...same(['INSERT INTO "groups" ("region", "code", "title") VALUES (?, ?, ?)', 'eu', 1, "o'k"]),
  },
  {
    name: 'insertMany',
    run: (db) => db.table(Group).insertMany([2, 3].map((code) => ({ region: 'eu', code, title: 't' }))),
    sqlite: [
      ['BEGIN IMMEDIATE'],
      ['INSERT INTO "groups" ("region", "code", "title") VALUES (?, ?, ?)', 'eu', 2, 't'],
      ['INSERT INTO "groups" ("region", "code", "title") VALUES (?, ?, ?)', 'eu', 3, 't'],
      ['COMMIT'],
    ],
    postgres: [
      [
        'INSERT INTO "groups" ("region", "code", "title") SELECT "region", "code", "title" FROM unnest($1::TEXT[], $2::BIGINT[], $3::TEXT[]) WITH ORDINALITY AS "r" ("region", "code", "title", "portico place") ORDER BY "portico place"',
        ['eu', 'eu'],
        [2, 3],
        ['t', 't'],
      ],
    ],
    mysql: [
      ['INSERT INTO `groups` (`region`, `code`, `title`) VALUES (?, ?, ?), (?, ?, ?)', 'eu', 2, 't', 'eu', 3, 't'],
    ],
  },
  {
    name: 'findById, single and composite',
    async run(db) {
      await db.table(Team).findById(1)
      await db.table(Group).findById({ region: 'eu', code: 1 })
    },
    sqlite: [
      ['SELECT "id", "name" FROM "org__teams" WHERE "id" = ?', 1],
      ['SELECT "region", "code", "title" FROM "groups" WHERE "region" = ? AND "code" = ?', 'eu', 1],
    ],
    postgres: [
      ['SELECT "id", "name" FROM "org"."teams" WHERE "id" = $1', 1],
      ['SELECT "region", "code", "title" FROM "groups" WHERE "region" = $1 AND "code" = $2', 'eu', 1],
    ],
  },
  {
    name: 'findMany: comparisons, absence, lists, patterns and negation',
    run: (db) =>
      db.table(Person).findMany({
        select: ['name'],
        where: {
          age: { $gte: 1, $ne: 5 },
          teamId: null,
          name: { $in: ['a', 'b', 'c'], $like: 'a%*', $ilike: 'A%' },
          $or: [{ age: 2 }, { $not: { name: 'x', age: { $lt: 3 } } }],
        },
      }),
    sqlite: [
      [
        'SELECT "name" FROM "people" WHERE ("age" >= ? AND "age" IS NOT ?) AND "teamId" IS NULL AND ("name" IN (?, ?, ?, ?) AND "name" GLOB ? AND "name" LIKE ? ESCAPE \'\\\') AND ("age" = ? OR ("name" = ? AND "age" < ?) IS NOT TRUE)',
        1,
        5,
        'a',
        'b',
        'c',
        'c',
        'a*[*]',
        'A%',
        2,
        'x',
        3,
      ],
    ],
    postgres: [
      [
        'SELECT "name" FROM "people" WHERE ("age" >= $1 AND "age" IS DISTINCT FROM $2) AND "teamId" IS NULL AND ("name" = ANY($3::TEXT[]) AND "name" LIKE $4 AND "name" ILIKE $5) AND ("age" = $6 OR ("name" = $7 AND "age" < $8) IS NOT TRUE)',
        1,
        5,
        ['a', 'b', 'c'],
        'a%*',
        'A%',
        2,
        'x',
        3,
      ],
    ],
    mysql: [
      [
        `SELECT \`name\` FROM \`people\` WHERE (\`age\` >= ? AND NOT (\`age\` <=> ?)) AND \`teamId\` IS NULL AND (\`name\` IN (?, ?, ?, ?) AND \`name\` LIKE ? ESCAPE '|' AND (\`name\` COLLATE utf8mb4_general_ci LIKE ? ESCAPE '|' AND ${lowered('`name`')} LIKE ? ESCAPE '|')) AND (\`age\` = ? OR (\`name\` = ? AND \`age\` < ?) IS NOT TRUE)`,
        1,
        5,
        'a',
        'b',
        'c',
        'c',
        'a%*',
        'A%',
        'a%',
        2,
        'x',
        3,
      ],
    ],
  },
  {
    name: 'findMany: order, limit and offset',
    run: (db) =>
      db.table(Person).findMany({ select: ['id'], orderBy: { age: 'desc', name: 'asc' }, limit: 2, offset: 1 }),
    sqlite: [['SELECT "id" FROM "people" ORDER BY "age" DESC, "name", "id" LIMIT ? OFFSET ?', 2, 1]],
    postgres: [['SELECT "id" FROM "people" ORDER BY "age" DESC NULLS LAST, "name", "id" LIMIT $1 OFFSET $2', 2, 1]],
  },
  {
    name: 'findMany: offset alone',
    run: (db) => db.table(Group).findMany({ select: ['title'], offset: 3 }),
    sqlite: [['SELECT "title" FROM "groups" ORDER BY "region", "code" LIMIT -1 OFFSET ?', 3]],
    postgres: [['SELECT "title" FROM "groups" ORDER BY "region", "code" OFFSET $1', 3]],
    mysql: [['SELECT `title` FROM `groups` ORDER BY `region`, `code` LIMIT 18446744073709551615 OFFSET ?', 3]],
  },
  {
    name: 'findOne and exists read one row',
    async run(db) {
      await db.table(Group).findOne({ where: { title: 'x' }, select: ['title'] })
      await db.table(Group).exists({ title: 'x' })
    },
    ...same(
      ['SELECT "title" FROM "groups" WHERE "title" = ? ORDER BY "region", "code" LIMIT ?', 'x', 1],
      ['SELECT "region" FROM "groups" WHERE "title" = ? ORDER BY "region", "code" LIMIT ?', 'x', 1],
    ),
  },
  {
    name: 'count',
    run: (db) => db.table(Group).count({ region: { $ne: 'eu' } }),
    ...same(['SELECT count(*) FROM "groups" WHERE "region" <> ?', 'eu']),
  },
  {
    name: 'updateOne, with stamps and with a version',
    async run(db) {
      await db.table(Thing).updateOne({ id: 9, name: 'n', address: { city: 'x' } })
      await db.table(Person).updateOne({ id, name: 'n', version: 3 })
    },
    ...same(
      [
        'UPDATE "things" SET "thing_name" = ?, "address__city" = ?, "address__geo__lat" = ?, "address__geo__lng" = ?, "updatedAt" = ? WHERE "id" = ?',
        'n',
        'x',
        null,
        null,
        1000,
        9,
      ],
      [
        'UPDATE "people" SET "name" = ?, "version" = CASE WHEN "version" < 9007199254740991 THEN "version" + 1 END WHERE "id" = ? AND "version" = ?',
        'n',
        id,
        3,
      ],
      ['SELECT count(*) FROM "people" WHERE "id" = ?', id],
    ),
  },
  {
    name: 'replaceOne',
    run: (db) => db.table(Person).replaceOne({ id, name: 'r' }),
    ...same([
      'UPDATE "people" SET "name" = ?, "age" = ?, "teamId" = ?, "version" = CASE WHEN "version" < 9007199254740991 THEN "version" + 1 END WHERE "id" = ?',
      'r',
      null,
      null,
      id,
    ]),
  },
  {
    name: 'updateMany and deleteMany',
    async run(db) {
      await db.table(Group).updateMany({ code: { $gt: 7 } }, { title: 'z' })
      await db.table(Group).updateMany({}, { title: 'z' })
      await db.table(Group).deleteMany({ title: 'none' })
    },
    ...same(
      ['UPDATE "groups" SET "title" = ? WHERE "code" > ?', 'z', 7],
      ['UPDATE "groups" SET "title" = ?', 'z'],
      ['DELETE FROM "groups" WHERE "title" = ?', 'none'],
    ),
  },
  {
    name: 'upsertOne, without and with a version',
    async run(db) {
      await db.table(Group).upsertOne({ region: 'eu', code: 4, title: 'u' })
      await db.table(Person).upsertOne({ id, name: 'u', version: 1 })
    },
    ...same(
      [
        'INSERT INTO "groups" ("region", "code", "title") VALUES (?, ?, ?) ON CONFLICT ("region", "code") DO UPDATE SET "title" = excluded."title" RETURNING "region", "code", "title"',
        'eu',
        4,
        'u',
      ],
      [
        'INSERT INTO "people" ("id", "name", "age", "teamId", "version") VALUES (?, ?, ?, ?, ?) ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", "version" = CASE WHEN "people"."version" < 9007199254740991 THEN "people"."version" + 1 END WHERE "people"."version" = ? RETURNING "id", "name", "age", "teamId", "version"',
        id,
        'u',
        null,
        null,
        1,
        1,
      ],
    ),
    mysql: [
      ['START TRANSACTION'],
      ['UPDATE `groups` SET `title` = ? WHERE `region` = ? AND `code` = ?', 'u', 'eu', 4],
      ['INSERT INTO `groups` (`region`, `code`, `title`) VALUES (?, ?, ?)', 'eu', 4, 'u'],
      ['SELECT `region`, `code`, `title` FROM `groups` WHERE `region` = ? AND `code` = ?', 'eu', 4],
      ['COMMIT'],
      ['START TRANSACTION'],
      [
        'UPDATE `people` SET `name` = ?, `version` = CASE WHEN `version` < 9007199254740991 THEN `version` + 1 END WHERE `id` = ? AND `version` = ?',
        'u',
        id,
        1,
      ],
      [
        'INSERT INTO `people` (`id`, `name`, `age`, `teamId`, `version`) VALUES (?, ?, ?, ?, ?)',
        id,
        'u',
        null,
        null,
        1,
      ],
      ['SELECT `id`, `name`, `age`, `teamId`, `version` FROM `people` WHERE `id` = ?', id],
      ['COMMIT'],
    ],
  },
  {
    name: 'stream, by a single and by a composite key',
    async run(db) {
      for await (const _ of db.table(Group).stream({ batchSize: 2, select: ['title'] }));
    },
    // Whole numbers come from PostgreSQL as text, and go back as they came.
    ...streamed(2, 4),
    postgres: streamed('2', '4').postgres,
  },
  {
    name: 'with: one statement per level, however many records',
    async run(db) {
      await db.table(Membership).insertOne({ personId: id, region: 'eu', code: 1 })
      await db.table(Group).findMany({
        select: ['title'],
        where: { code: { $lte: 2 } },
        with: { people: { select: ['name'] }, memberships: true },
      })
    },
    sqlite: [
      ['INSERT INTO "memberships" ("personId", "region", "code", "role") VALUES (?, ?, ?, ?)', id, 'eu', 1, 'guest'],
      ['SELECT "title", "region", "code" FROM "groups" WHERE "code" <= ?', 2],
      [
        'SELECT "t"."name", "j"."region", "j"."code" FROM "memberships" AS "j" JOIN "people" AS "t" ON "j"."personId" = "t"."id" WHERE ("j"."region", "j"."code") IN (VALUES (?, ?), (?, ?)) ORDER BY "t"."id"',
        'eu',
        1,
        'eu',
        2,
      ],
      [
        'SELECT "personId", "region", "code", "role" FROM "memberships" WHERE ("region", "code") IN (VALUES (?, ?), (?, ?)) ORDER BY "personId", "region", "code"',
        'eu',
        1,
        'eu',
        2,
      ],
    ],
    postgres: [
      [
        'INSERT INTO "memberships" ("personId", "region", "code", "role") VALUES ($1, $2, $3, $4)',
        id,
        'eu',
        1,
        'guest',
      ],
      ['SELECT "title", "region", "code" FROM "groups" WHERE "code" <= $1', 2],
      [
        'SELECT "t"."name", "j"."region", "j"."code" FROM "memberships" AS "j" JOIN "people" AS "t" ON "j"."personId" = "t"."id" WHERE ("j"."region", "j"."code") IN (SELECT * FROM unnest($1::TEXT[], $2::BIGINT[])) ORDER BY "t"."id"',
        ['eu', 'eu'],
        ['1', '2'],
      ],
      [
        'SELECT "personId", "region", "code", "role" FROM "memberships" WHERE ("region", "code") IN (SELECT * FROM unnest($1::TEXT[], $2::BIGINT[])) ORDER BY "personId", "region", "code"',
        ['eu', 'eu'],
        ['1', '2'],
      ],
    ],
    mysql: [
      ['INSERT INTO `memberships` (`personId`, `region`, `code`, `role`) VALUES (?, ?, ?, ?)', id, 'eu', 1, 'guest'],
      ['SELECT `title`, `region`, `code` FROM `groups` WHERE `code` <= ?', 2],
      [
        'SELECT `t`.`name`, `j`.`region`, `j`.`code` FROM `memberships` AS `j` JOIN `people` AS `t` ON `j`.`personId` = `t`.`id` WHERE (`j`.`region`, `j`.`code`) IN ((?, ?), (?, ?)) ORDER BY `t`.`id`',
        'eu',
        1,
        'eu',
        2,
      ],
      [
        'SELECT `personId`, `region`, `code`, `role` FROM `memberships` WHERE (`region`, `code`) IN ((?, ?), (?, ?)) ORDER BY `personId`, `region`, `code`',
        'eu',
        1,
        'eu',
        2,
      ],
    ],
  },
  {
    name: 'deleteOne',
    run: (db) => db.table(Membership).deleteOne({ personId: id, region: 'eu', code: 1 }),
    ...same(['DELETE FROM "memberships" WHERE "personId" = ? AND "region" = ? AND "code" = ?', id, 'eu', 1]),
  },
  {
    name: 'sql: values become parameters',
    run: (db) => db.sql`select ${1} as a, ${"x'; --"} as b`,
    ...same(['select ? as a, ? as b', 1, "x'; --"]),
  },
  {
    name: 'transactions and savepoints',
    run: (db) => db.transaction((tx) => tx.transaction(async () => {})),
    sqlite: [['BEGIN IMMEDIATE'], ['SAVEPOINT portico_2'], ['RELEASE portico_2'], ['COMMIT']],
    postgres: [['BEGIN'], ['SAVEPOINT portico_2'], ['RELEASE SAVEPOINT portico_2'], ['COMMIT']],
    mysql: [['START TRANSACTION'], ['SAVEPOINT portico_2'], ['RELEASE SAVEPOINT portico_2'], ['COMMIT']],
  },
]

describe.each(recordings)('the SQL of every operation on $name', ({ name, isThere, use }) => {
  describe.skipIf(!isThere)('', () => {
    const record = use()
    let recording: Recording
    beforeAll(async () => {
      recording = await record()
      await recording.db.sync(suiteTables)
    })
    afterAll(() => recording?.[Symbol.asyncDispose]())

    it.each(cases)('$name', async (testCase) => {
      recording.take()
      await testCase.run(recording.db)
      const expected = testCase[name] ?? requote(testCase.sqlite)
      expect(recording.take().map(({ text, params }) => [text, ...params])).toEqual(expected)
    })
  })
})

describe('the SQL of what sync makes', () => {
  it('on SQLite', async () => {
    await using recording = await recordSqlite()
    recording.take()
    await recording.db.sync([Team, Person, Membership, Group])
    const made = recording
      .take()
      .map((it) => it.text)
      .filter((it) => it.startsWith('CREATE'))
    expect(made).toEqual([
      'CREATE TABLE "org__teams" (\n  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,\n  "name" TEXT NOT NULL\n)',
      'CREATE TABLE "people" (\n  "id" TEXT NOT NULL,\n  "name" TEXT NOT NULL,\n  "age" REAL,\n  "teamId" INTEGER,\n  "version" REAL NOT NULL,\n  PRIMARY KEY ("id"),\n  CONSTRAINT "people__teamId__fk" FOREIGN KEY ("teamId") REFERENCES "org__teams" ("id") ON DELETE SET NULL ON UPDATE RESTRICT\n)',
      expect.stringContaining('CREATE TABLE "memberships" ('),
      expect.stringContaining('CREATE TABLE "groups" ('),
      'CREATE UNIQUE INDEX "org__teams__name" ON "org__teams" ("name")',
      'CREATE TABLE "portico__tables" (\n  "name" TEXT NOT NULL,\n  "content" TEXT NOT NULL,\n  PRIMARY KEY ("name")\n)',
    ])
  })

  describe.skipIf(!postgresEngine.isThere)('on PostgreSQL', () => {
    const databases = postgresEngine.use()
    it('after what it refers to', async () => {
      await using recording = await recordPostgres(await databases.create())
      recording.take()
      await recording.db.sync([Membership, Person, Team, Group])
      const made = recording
        .take()
        .map((it) => it.text)
        .filter((it) => it.startsWith('CREATE'))
      expect(made).toEqual([
        'CREATE SCHEMA IF NOT EXISTS "org"',
        'CREATE TABLE "org"."teams" (\n  "id" BIGINT GENERATED BY DEFAULT AS IDENTITY (START WITH 100 MAXVALUE 9007199254740991) NOT NULL,\n  "name" TEXT COLLATE "C" NOT NULL,\n  PRIMARY KEY ("id")\n)',
        'CREATE TABLE "people" (\n  "id" TEXT COLLATE "C" NOT NULL,\n  "name" TEXT COLLATE "C" NOT NULL,\n  "age" DOUBLE PRECISION,\n  "teamId" BIGINT,\n  "version" DOUBLE PRECISION NOT NULL,\n  PRIMARY KEY ("id"),\n  CONSTRAINT "people__teamId__fk" FOREIGN KEY ("teamId") REFERENCES "org"."teams" ("id") ON DELETE SET NULL ON UPDATE RESTRICT\n)',
        expect.stringContaining('CREATE TABLE "groups" ('),
        expect.stringContaining('CREATE TABLE "memberships" ('),
        'CREATE UNIQUE INDEX "teams__name" ON "org"."teams" ("name")',
        'CREATE TABLE "portico__tables" (\n  "name" TEXT COLLATE "C" NOT NULL,\n  "content" JSONB NOT NULL,\n  PRIMARY KEY ("name")\n)',
      ])
    })
  })

  describe.skipIf(!mysqlEngine.isThere)('on MySQL', () => {
    const databases = mysqlEngine.use()
    it('after what it refers to', async () => {
      await using recording = await recordMysql(await databases.create())
      recording.take()
      await recording.db.sync([Membership, Person, Team, Group, Thing])
      const made = recording
        .take()
        .map((it) => it.text)
        .filter((it) => it.startsWith('CREATE') && !it.includes('portico__'))
      const text = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin'
      const quick = 'ALGORITHM = INPLACE LOCK = NONE'
      expect(made).toEqual([
        'CREATE SCHEMA IF NOT EXISTS `org`',
        `CREATE TABLE \`org\`.\`teams\` (\n  \`id\` INT AUTO_INCREMENT NOT NULL,\n  \`name\` VARCHAR(255) ${text} NOT NULL,\n  PRIMARY KEY (\`id\`)\n) ENGINE = InnoDB ROW_FORMAT = DYNAMIC AUTO_INCREMENT = 100`,
        `CREATE TABLE \`people\` (\n  \`id\` VARCHAR(255) ${text} NOT NULL,\n  \`name\` LONGTEXT ${text} NOT NULL,\n  \`age\` DOUBLE,\n  \`teamId\` INT,\n  \`version\` DOUBLE NOT NULL,\n  PRIMARY KEY (\`id\`),\n  CONSTRAINT \`people__teamId__fk\` FOREIGN KEY (\`teamId\`) REFERENCES \`org\`.\`teams\` (\`id\`) ON DELETE SET NULL ON UPDATE RESTRICT\n) ENGINE = InnoDB ROW_FORMAT = DYNAMIC`,
        expect.stringContaining('`code` BIGINT NOT NULL'),
        expect.stringContaining(`\`role\` LONGTEXT ${text} NOT NULL DEFAULT ('guest')`),
        expect.stringContaining('`price` DECIMAL(12,2) NOT NULL,\n  `amount` DECIMAL(38,9)'),
        `CREATE UNIQUE INDEX \`teams__name\` ON \`org\`.\`teams\` (\`name\`) ${quick}`,
        `CREATE UNIQUE INDEX \`things__thing_name\` ON \`things\` (\`thing_name\`) ${quick}`,
        `CREATE INDEX \`things__kind\` ON \`things\` (\`kind\`) ${quick}`,
      ])
    })
  })
})
