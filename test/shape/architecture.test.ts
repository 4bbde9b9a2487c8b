import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { members, readText, trackedFiles } from './workspace.ts'

const page = readText('docs/architecture.md')
const short = (name: string): string => name.replace('@portico/', '')

it('the picture of the packages shows the imports that the manifests allow, without those that follow from others', () => {
  const imports = new Map(
    members.map(({ manifest: { name, dependencies = {} } }) => [
      short(name),
      Object.keys(dependencies)
        .filter((it) => it.startsWith('@portico/'))
        .map(short),
    ]),
  )
  const reaches = (from: string, to: string): boolean =>
    (imports.get(from) ?? []).some((it) => it === to || reaches(it, to))
  const arrows = [...imports].flatMap(([from, targets]) =>
    targets
      .filter((to) => !targets.some((other) => other !== to && reaches(other, to)))
      .map((to) => `${from} --> ${to}`),
  )
  const drawn = [...page.matchAll(/^ {2}([\w-]+ --> [\w-]+)$/gm)].map(([, arrow = '']) => arrow)
  expect(drawn.toSorted()).toEqual(arrows.toSorted())
})

it('every folder that the page names exists', () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)`(?:, `src\/(\w+)`)? \| (.+) \| (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, name = '', inner = '', folders = '', first = ''] of rows) {
    const places = [...`${folders} ${first}`.matchAll(/`([\w./-]+)`/g)].map(([, it = '']) => it)
    for (const place of places)
      expect(existsSync(join(root, 'packages', name, 'src', inner, place)), `${name}: ${place}`).toBe(true)
  }
})

it.each(trackedFiles.filter((file) => file.startsWith('docs/decisions/')))('%s names paths that exist', (file) => {
  const paths = [...readText(file).matchAll(/`((?:packages|scripts|shared|test)\/[\w./-]*)`/g)].map(([, it = '']) => it)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
