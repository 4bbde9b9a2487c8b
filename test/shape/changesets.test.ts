import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatChanges, readChange } from '../../scripts/changelog.mjs'
import { root } from '../../scripts/run.mjs'
import { packages, readText } from './workspace.ts'

const entries = readdirSync(join(root, '.changeset')).filter((it) => it.endsWith('.md') && it !== 'README.md')

describe('changesets', () => {
  it.each(entries)('%s names packages that exist', (file) => {
    const known = packages.map((it) => it.manifest.name)
    const change = readChange(readText(`.changeset/${file}`))
    expect(change.packages.filter((it) => !known.includes(it))).toEqual([])
  })

  it('become a section of the changelog, grouped by what they mean for a user', () => {
    const changes = [
      readChange("---\n'@portico/db': patch\n---\n\nReads are faster.\n"),
      readChange("---\n'@portico/http': patch\n'@portico/db': minor\n---\n\n`$sort`\ntakes lists.\n"),
    ]
    expect(formatChanges(changes)).toBe(
      '### New and changed\n\n- **http**, **db**: `$sort` takes lists.\n\n### Fixed\n\n- **db**: Reads are faster.\n',
    )
  })

  it('without a package or a text are refused', () => {
    for (const wrong of ['', '---\n---\n\ntext\n', "---\n'@portico/db': patch\n---\n\n"])
      expect(() => readChange(wrong)).toThrow('a changeset names its packages and has a text')
  })
})

describe('.github', () => {
  const files = ['workflows/ci.yml', 'workflows/release.yml', 'PULL_REQUEST_TEMPLATE.md'].map((it) => `.github/${it}`)
  const { scripts = {} } = JSON.parse(readText('package.json')) as { scripts?: Record<string, string> }

  it.each(files)('%s runs only scripts that exist', (file) => {
    const used = [...readText(file).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(used.filter((name) => !(name in scripts))).toEqual([])
  })

  it('lists every package in the template for bugs', () => {
    const template = readText('.github/ISSUE_TEMPLATE/bug.yml')
    expect(packages.map((it) => it.manifest.name).filter((name) => !template.includes(`"${name}"`))).toEqual([])
  })

  it('tests the Node versions that the packages support', () => {
    expect(readText('.github/workflows/ci.yml')).toContain('node: [20, 22, 24]')
  })
})
