import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSpec, type OpenApiDocument, type OpenApiVersion, writeYaml } from '@portico/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findJudges } from '../../../scripts/environment.mjs'
import { largeApp, mediumApp, type SampleApp, smallApp } from './support/apps.ts'

const apps: Record<string, SampleApp> = { small: smallApp, medium: mediumApp, large: largeApp }
const versions: readonly OpenApiVersion[] = ['3.0', '3.1', '3.2']

const documents = Object.entries(apps).flatMap(([name, { controllers, options }]) =>
  versions.map((openapi) => ({
    name: `${name}-${openapi}`,
    document: createSpec(controllers, { ...options, openapi }),
  })),
)

/** As JSON with a line for each operation and each component, so that a change shows where it is. */
function writeLines(document: OpenApiDocument): string {
  const lines = (value: unknown, depth: number): string => {
    if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
    const entries = Object.entries(value).map(([key, it]) => `${JSON.stringify(key)}:${lines(it, depth - 1)}`)
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`
  }
  return `${lines(document, 3)}\n`
}

describe('the golden documents (renew them with `npm run samples -w @portico/spec`)', () => {
  it.each(documents)('$name', async ({ name, document }) => {
    await expect(writeLines(document)).toMatchFileSnapshot(`samples/${name}.json`)
  })

  it('the large one has 500 operations', () => {
    const { paths } = createSpec(largeApp.controllers)
    expect(Object.values(paths).flatMap((it) => Object.keys(it))).toHaveLength(500)
  })

  it.each(documents)('$name says the same in YAML', ({ document }) => {
    expect(parse(writeYaml(document))).toEqual(document)
  })
})

const judges = findJudges()

describe.skipIf(!judges)('the judges', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-judges-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function judge(): Promise<Record<string, string[]>> {
    const { stdout } = await promisify(execFile)(process.execPath, [join(judges!.path, 'judge.mjs'), folder])
    return JSON.parse(stdout) as Record<string, string[]>
  }

  it('find no error in any of them', async () => {
    // The large ones take the judges half a minute.
    const judged = process.env['CI'] === 'true' ? documents : documents.filter((it) => !it.name.startsWith('large'))
    for (const { name, document } of judged) await writeFile(join(folder, `${name}.json`), JSON.stringify(document))
    expect(await judge()).toEqual({ schema: [], redocly: [], spectral: [], parser: [], compiler: [] })
  }, 240_000)

  it('do find errors in one that is wrong', async () => {
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), 'portico-judges-'))
    const [small] = documents.filter((it) => it.name === 'small-3.1')
    const wrong = JSON.parse(JSON.stringify(small!.document).replace('"in":"path"', '"in":"nowhere"')) as object
    await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong))
    const verdicts = await judge()
    for (const name of ['schema', 'redocly', 'spectral', 'parser']) expect(verdicts[name], name).not.toEqual([])
  }, 120_000)
})
