import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { StoredAnswer } from './stored-answer.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpeg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

const folder = new URL('./assets/', import.meta.url)
let names: ReadonlySet<string> | undefined
const loaded = new Map<string, StoredAnswer>()

/** A file of the docs page, read on first use; `undefined` for any other name. */
export function findAsset(name: string): StoredAnswer | undefined {
  names ??= new Set(readdirSync(folder))
  const type = contentTypes[extname(name)]
  if (type === undefined || !names.has(`${name}.gz`)) return undefined
  const known = loaded.get(name)
  if (known) return known
  const asset = StoredAnswer.fromGzip(readFileSync(new URL(`${name}.gz`, folder)), type)
  loaded.set(name, asset)
  return asset
}
