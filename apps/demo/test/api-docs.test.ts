import type { OpenApiDocument } from '@portico/spec'
import { expect, it } from 'vitest'
import { startTracker } from '../src/tracker.ts'

it('describes itself at /api-docs', async () => {
  const tracker = await startTracker(':memory:', 0)
  try {
    const page = await fetch(`${tracker.url}/api-docs`)
    expect(await page.text()).toContain('<title>Task tracker</title>')
    const document = (await (await fetch(`${tracker.url}/api-docs/spec.json`)).json()) as OpenApiDocument
    expect(document.tags?.map((it) => [it.name, it.description !== undefined])).toEqual([
      ['board', true],
      ['projects', true],
      ['tasks', true],
      ['tags', true],
    ])
    const operations = Object.values(document.paths).flatMap((it) => Object.values(it))
    expect(operations.filter((it) => it.tags?.length !== 1)).toEqual([])
    expect(Object.keys(document.paths)).toContain('/board')
    expect(Object.keys(document.paths).filter((it) => it.startsWith('/api-docs'))).toEqual([])
  } finally {
    await tracker.close()
  }
})
