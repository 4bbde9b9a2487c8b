import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { annotationSpecs, messages } from '@portico/schema'
import { afterAll, describe, expect, it } from 'vitest'
import { compileSample, listSamples, readSample, samplesFolder } from './support/samples.ts'

/** `npm run samples -w @portico/schema` writes what the compiler says now; look at the difference before it is kept. */
const renew = process.env['PORTICO_RENEW_SAMPLES'] === '1'

describe('samples', () => {
  for (const name of listSamples()) {
    it(`${name} compiles as expected`, () => {
      const folder = join(samplesFolder, name)
      const actual = compileSample(name)
      const kept = readdirSync(folder).filter((file) => !file.endsWith('.portico'))
      if (renew) {
        for (const file of kept) rmSync(join(folder, file))
        for (const [file, text] of actual) writeFileSync(join(folder, file), text)
      }
      const expected = new Map(
        readdirSync(folder)
          .filter((file) => !file.endsWith('.portico'))
          .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
      )
      expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
    })
  }

  it('show every diagnostic code', () => {
    const shown = listSamples().map((name) => join(samplesFolder, name, 'diagnostics.txt'))
    const text = shown.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('\n')
    const without = Object.keys(messages).filter((code) => !text.includes(`[${code}]`))
    expect(without).toEqual([])
  })

  it('use every annotation in a schema that compiles', () => {
    const compiling = listSamples().filter((name) => !name.startsWith('error-'))
    const text = compiling.flatMap((name) => readSample(name).map((it) => it.text)).join('\n')
    const without = Object.keys(annotationSpecs).filter((name) => !new RegExp(`@${name}(?![.\\w])`).test(text))
    expect(without).toEqual([])
  })
})

if (renew) afterAll(() => console.log('The samples were renewed: look at what changed before you keep it.'))
