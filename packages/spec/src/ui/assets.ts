import { readFileSync } from 'node:fs'
import { StoredAnswer } from './stored-answer.ts'

const contentTypes: Readonly<Record<string, string>> = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const loaded = new Map<string, StoredAnswer>()

/** A file of the docs page, read when it is first asked for; `undefined` for any other name. */
export function findAsset(name: string): StoredAnswer | undefined {
  const type = Object.hasOwn(contentTypes, name) ? contentTypes[name] : undefined
  if (type === undefined) return undefined
  const known = loaded.get(name)
  if (known) return known
  const asset = StoredAnswer.fromGzip(readFileSync(new URL(`./assets/${name}.gz`, import.meta.url)), type)
  loaded.set(name, asset)
  return asset
}
