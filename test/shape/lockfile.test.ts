import { describe, expect, it } from 'vitest'
import { findMissingPlatforms } from '../../scripts/complete-lockfile.mjs'
import { readJson, readText } from './workspace.ts'

const lock = readJson('package-lock.json') as Parameters<typeof findMissingPlatforms>[0]

describe('the lock file', () => {
  it('names no host to fetch from', () => {
    expect(
      Object.values(lock.packages).filter((entry) =>
        /^https?:/.test(String((entry as { resolved?: string }).resolved ?? '')),
      ),
    ).toEqual([])
    expect(readText('.npmrc')).toContain('omit-lockfile-registry-resolved=true')
  })

  it('lists the optional packages of every platform (npm run lockfile adds them)', () => {
    expect(findMissingPlatforms(lock).map(({ name }) => name)).toEqual([])
    const platforms = Object.keys(lock.packages).join('\n')
    for (const platform of ['darwin-arm64', 'darwin-x64', 'win32-x64', 'linux-arm64'])
      expect(platforms).toContain(`@biomejs/cli-${platform}`)
  })

  it('marks each of them optional, with its system and processor', () => {
    const entries = Object.entries(lock.packages).filter(([path]) =>
      /-(darwin|win32|freebsd|android)-(x64|arm64)/.test(path),
    )
    expect(entries.length).toBeGreaterThan(5)
    for (const [path, entry] of entries) {
      const [, os, cpu] = path.match(/-(darwin|win32|freebsd|android)-(x64|arm64)/) ?? []
      expect(entry, path).toMatchObject({ optional: true, os: [os], cpu: [cpu] })
    }
  })
})
