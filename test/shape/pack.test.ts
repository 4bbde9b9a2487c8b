import { describe, expect, it } from 'vitest'
import { compareSizes } from '../../scripts/check-packs.mjs'
import { normalizeRepository, repositoryFields, resolveOuterLinks } from '../../scripts/pack.mjs'
import { packages, readText } from './workspace.ts'

const repository = 'https://git.example.com/someone/portico'

describe('a README in a tarball', () => {
  it('links into the repository where a link leads out of the package', () => {
    expect(resolveOuterLinks('[Tables](../db), [keys](../../docs/guide/tables.md#keys)', 'http', repository)).toBe(
      `[Tables](${repository}/tree/main/packages/db), [keys](${repository}/tree/main/docs/guide/tables.md#keys)`,
    )
  })

  it('uses words instead while the address of the repository is not known', () => {
    const resolve = (text: string): string => resolveOuterLinks(text, 'http', undefined)
    expect(resolve('See [the guide](../../docs/guide/tables.md#keys).')).toBe(
      'See the guide (`docs/guide/tables.md` in the repository).',
    )
    expect(resolve('[Tables](../db), [`@portico/spec`](../spec/README.md#install)')).toBe(
      'Tables (`@portico/db`), `@portico/spec`',
    )
  })

  it('keeps links within the package and to other sites', () => {
    const inside = '[here](#install) [there](https://example.com) [beside](LICENSE)'
    expect(resolveOuterLinks(inside, 'http', undefined)).toBe(inside)
    expect(resolveOuterLinks(inside, 'http', repository)).toBe(inside)
  })

  it.each(packages.map((it) => it.folder))('%s has no link that leads nowhere', (folder) => {
    const name = folder.replace('packages/', '')
    const readme = readText(`${folder}/README.md`)
    expect(resolveOuterLinks(readme, name, undefined)).not.toMatch(/\]\(\.\.?\//)
    expect(resolveOuterLinks(readme, name, repository)).not.toMatch(/\]\(\.\.?\//)
  })
})

describe('a packed manifest', () => {
  it('says where the source is, from one setting in the root manifest', () => {
    expect(repositoryFields('db', repository)).toEqual({
      homepage: `${repository}/tree/main/packages/db#readme`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: 'packages/db' },
      bugs: { url: `${repository}/issues` },
    })
    expect(repositoryFields('db', undefined)).toEqual({})
  })

  it('takes the spellings of an address that npm knows, and nothing else', () => {
    for (const spelling of [repository, `${repository}/`, `${repository}.git`, { url: `git+${repository}.git` }])
      expect(normalizeRepository(spelling)).toBe(repository)
    for (const wrong of ['', 'someone/portico', 'git@git.example.com:someone/portico.git', {}, 7])
      expect(() => normalizeRepository(wrong)).toThrow('must be the https address')
  })
})

describe('size budgets', () => {
  const budgets = { tarballs: { '@portico/login': 30 }, bundles: { '@portico/login': 6 } }

  it('are met by sizes up to the budget', () => {
    expect(
      compareSizes({ tarballs: { '@portico/login': 30_000 }, bundles: { '@portico/login': 6_000 } }, budgets),
    ).toEqual([])
  })

  it('report what is over, and what has no budget', () => {
    const sizes = { tarballs: { '@portico/login': 30_001, '@portico/new': 5 }, bundles: { '@portico/login': 6_100 } }
    expect(compareSizes(sizes, budgets)).toEqual([
      '@portico/login: 30.0 kB is over the budget of 30 kB (tarballs)',
      '@portico/new: no budget in scripts/size-budgets.json; it has 0.0 kB (tarballs)',
      '@portico/login: 6.1 kB is over the budget of 6 kB (bundles)',
    ])
  })
})
