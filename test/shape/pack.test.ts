import { describe, expect, it } from 'vitest'
import { tellOuterLinks } from '../../scripts/pack.mjs'
import { packages, readText } from './workspace.ts'

describe('a README in a tarball', () => {
  it('tells in words where a link would lead out of the package', () => {
    const told = (text: string): string => tellOuterLinks(text, 'http')
    expect(told('See [the guide](../../docs/guide/tables.md#keys).')).toBe(
      'See the guide (`docs/guide/tables.md` in the repository).',
    )
    expect(told('[Tables](../db), [`@portico/spec`](../spec/README.md#install)')).toBe(
      'Tables (`@portico/db`), `@portico/spec`',
    )
    const inside = '[here](#install) [there](https://example.com) [beside](LICENSE)'
    expect(told(inside)).toBe(inside)
  })

  it.each(packages.map((it) => it.folder))('%s has no link that leads nowhere', (folder) => {
    const name = folder.replace('packages/', '')
    expect(tellOuterLinks(readText(`${folder}/README.md`), name)).not.toMatch(/\]\(\.\.?\//)
  })
})
