import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Markup } from '../shared/html.ts'

/** An inline style sheet or script, with its hash for the content security policy. */
export interface InlineAsset {
  readonly text: Markup
  readonly source: string
}

/** Reads a file of `src/web`. The build leaves it there, so it is found from `dist` as well. */
function readAsset(name: string): InlineAsset {
  const text = readFileSync(new URL(`../../src/web/${name}`, import.meta.url), 'utf8')
  const hash = createHash('sha256').update(text).digest('base64')
  return { text: new Markup(text), source: `'sha256-${hash}'` }
}

export const style: InlineAsset = readAsset('style.css')
export const script: InlineAsset = readAsset('enhance.js')
