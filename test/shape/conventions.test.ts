import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, readText, trackedFiles } from './workspace.ts'

/**
 * These may be left out, but their type need not allow `undefined`: a guard, a condition or a version that went missing
 * would silently protect nothing.
 */
const mayRefuseUndefined = ['guard', 'guards', 'scope', 'token', 'ifMatch', 'where']

/** The type of a result is inferred from these. With `| undefined` TypeScript would infer a wrong one. */
const inferred = ['ReadOptions.with']

/** Names that a standard fixes: OpenID Connect's `max_age`, in seconds. */
const fixedByStandards = ['maxAge']

const timeWords = /(?:timeout|ttl|delay|interval|lifetime|duration|tolerance|window|grace|age|every|after)$/i

const sources = new Map(
  packages.map(({ folder }) => [
    folder,
    trackedFiles.filter((file) => file.startsWith(`${folder}/src/`) && /(?<!\.portico)\.ts$/.test(file)),
  ]),
)

describe.each(packages.map(({ folder, manifest }) => [manifest.name, folder] as const))('%s', (_, folder) => {
  const files = sources.get(folder) ?? []

  it('every exported error has a code', () => {
    const exported = exportsOf(files)
    const errors = files.flatMap((file) => findBlocks(file, /^export class (\w+) extends \w*Error\b[^{]*\{/gm))
    const lacking = errors.filter(({ name, body }) => exported.has(name) && !/^ {2}(?:readonly )code\b/m.test(body))
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('every optional member of options is `readonly x?: T | undefined`', () => {
    const wrong = optionsOf(files).filter(({ place, name, text }) => {
      const isOptional = /^(?:readonly )?\w+\?/.test(text)
      const isExempt = mayRefuseUndefined.includes(name) || inferred.includes(`${place}.${name}`)
      return isOptional && !(text.startsWith('readonly ') && (text.endsWith('| undefined') || isExempt))
    })
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([])
  })

  it('numbers that are times end in Ms or Sec', () => {
    const times = optionsOf(files).filter(({ text }) => /\bnumber\b/.test(text))
    const wrong = times.filter(({ name }) => timeWords.test(name) && !fixedByStandards.includes(name))
    expect(wrong.map(({ place, name }) => `${place}.${name}`)).toEqual([])
  })

  it('no files import each other in a circle, type imports included', () => {
    expect(findCircles(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([])
  })

  it('folders import each other in one direction only', () => {
    // The files of `src` itself count one by one.
    const placeOf = (file: string): string => (dirname(file) === `${folder}/src` ? file : dirname(file))
    const imports = new Map<string, string[]>()
    for (const file of files) {
      const others = importsOf(file)
        .map(placeOf)
        .filter((it) => it !== placeOf(file))
      imports.set(placeOf(file), [...(imports.get(placeOf(file)) ?? []), ...others])
    }
    expect(findCircles(imports)).toEqual([])
  })
})

interface Block {
  readonly name: string
  readonly body: string
}

interface Member {
  readonly place: string
  readonly name: string
  readonly text: string
}

/** The entry points of a package are the sources of the files that `exports` names. */
function isEntry(file: string): boolean {
  const { manifest, folder } = packages.find((it) => file.startsWith(`${it.folder}/`))!
  const targets = Object.values(manifest.exports ?? {}).map((it) => (typeof it === 'string' ? it : (it.default ?? '')))
  return targets.some((it) => join(folder, it.replace('dist/', 'src/').replace(/\.js$/, '.ts')) === file)
}

/** Declarations at the start of a line, up to the brace that closes them at the start of a line. */
function findBlocks(file: string, opening: RegExp): Block[] {
  const text = withoutComments(readText(file))
  return [...text.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length
    return { name: match[1] ?? '', body: text.slice(start, text.indexOf('\n}', start)) }
  })
}

function exportsOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.filter(isEntry).flatMap((file) => readText(file).match(/\w+/g) ?? []))
}

function optionsOf(files: readonly string[]): Member[] {
  const exported = exportsOf(files)
  return files.flatMap((file) => {
    const blocks = [
      ...findBlocks(file, /^export interface (\w+Options)\b[^{]*\{/gm),
      ...findBlocks(file, /^export type (\w+Options)\b[^{;]*= \{/gm),
    ]
    // Members begin with two spaces; deeper lines continue the member above.
    return blocks
      .filter(({ name }) => exported.has(name))
      .flatMap(({ name: place, body }) =>
        (body.match(/^ {2}(?=\S).*(?:\n(?! {2}\S).*)*/gm) ?? []).map((lines) => {
          const text = lines.replace(/\s+/g, ' ').trim()
          return { place, text, name: /^(?:readonly )?(\w+)/.exec(text)?.[1] ?? '' }
        }),
      )
  })
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*\*?[\s\S]*?\*\/\n?/gm, '').replace(/^\s*\/\/.*\n/gm, '')
}

function importsOf(file: string): string[] {
  const statements = withoutComments(readText(file)).matchAll(/^(?:import|export)\s[^'"`;]*?\bfrom\s+'(\.[^']+)'/gm)
  return [...statements].map(([, path = '']) => join(file, '..', path))
}

/** The shortest way back to each file that has one, each circle once. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = [...imports.keys()].flatMap((start) => {
    const wayTo = new Map<string, readonly string[]>([[start, [start]]])
    // A map that grows while it is walked is walked to its new end.
    for (const [file, way] of wayTo) {
      for (const next of imports.get(file) ?? []) {
        if (next === start) return [way]
        if (!wayTo.has(next)) wayTo.set(next, [...way, next])
      }
    }
    return []
  })
  return [...new Map(circles.map((way) => [way.toSorted().join(), way.join(' → ')])).values()]
}

describe('the reports of the public surface', () => {
  const reports = trackedFiles.filter((file) => /^packages\/[\w-]+\/api\/.+\.api\.md$/.test(file))

  it.each(reports)('%s: type parameters are words where there is more than one', (file) => {
    const lists = [...readText(file).matchAll(/^(?:export \w+| {3}) ?\w+<((?:[^<>()]|<[^<>]*>)+)>/gm)]
    const letters = lists.flatMap(([, list = '']) => {
      const names = list.split(/,(?![^<]*>)/).map((it) => /\w+/.exec(it)?.[0] ?? '')
      return names.length > 1 ? names.filter((it) => it.length === 1) : []
    })
    expect(letters).toEqual([])
  })

  it.each(['db', 'http', 'spec', 'auth-server', 'cli'])('@portico/%s has the code OPTIONS_INVALID', (name) => {
    expect(readText(`packages/${name}/api/index.api.md`)).toMatch(/['"]OPTIONS_INVALID['"]|OPTIONS_INVALID:/)
  })
})
