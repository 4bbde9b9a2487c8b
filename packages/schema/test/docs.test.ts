import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile, format } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/schema.ts'
import { makeFolder } from './support/temp-folder.ts'
import { compileTypeScript } from './support/typescript.ts'

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
}

/** The code blocks of a page that name a file: ```portico users.portico */
function blocksOf(page: string, language: string): [path: string, text: string][] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => [path!, text!])
}

describe('the reference', () => {
  for (const [path, text] of Object.entries(pages())) {
    it(`${path} is current`, () => {
      expect(read(path), 'run `npm run docs -- schema`').toBe(text)
    })
  }
})

describe('the examples', () => {
  for (const page of ['docs/guide/schema.md', 'packages/schema/README.md']) {
    it(`of ${page} compile, are formatted, and pass TypeScript`, () => {
      const text = read(page)
      const schemas = blocksOf(text, 'portico')
      expect(schemas.length).toBeGreaterThan(0)
      for (const [, schema] of schemas) expect(format(schema).text).toBe(schema)
      // Whoever saves every snippet of a page into one folder has a project that compiles.
      expect(new Set(schemas.map(([path]) => path)).size).toBe(schemas.length)
      const { diagnostics, modules } = compile(schemas.map(([path, schema]) => ({ path, text: schema })))
      expect(diagnostics).toEqual([])
      const files = Object.fromEntries([
        ...modules.map((it): [string, string] => [it.path, it.code]),
        ...blocksOf(text, 'ts'),
      ])
      const folder = makeFolder(files)
      expect(compileTypeScript(folder, Object.keys(files))).toBe('')
    }, 60_000)
  }
})
