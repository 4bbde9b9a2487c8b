import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packPackage } from '../../../../scripts/pack.mjs'
import { root } from '../../../../scripts/run.mjs'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Entry {
  readonly manifest: Manifest
  /** The folder or the tarball. */
  readonly path: string
}

/**
 * A package registry on loopback: these packages of the repository from their packed tarballs, and all others as they are
 * installed here, native modules compiled already. Nothing is asked of the network.
 */
export async function startRegistry(packs: string, names: readonly string[]): Promise<string> {
  const entries = [...findInstalled(join(root, 'node_modules')), ...(await packAll(names, packs))]
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    const name = decodeURIComponent(url.pathname.slice(1))
    const found = entries.filter((it) => it.manifest.name === name)
    const wanted = found.find((it) => it.manifest.version === url.searchParams.get('tarball'))
    if (wanted) return packInto(wanted.path, response)
    if (found.length === 0) return void response.writeHead(404).end('{}')
    const versions = found.map(({ manifest }) => {
      const tarball = `${url.origin}/${manifest.name}?tarball=${manifest.version}`
      return [manifest.version, { ...manifest, dist: { tarball } }]
    })
    const tags = { latest: found.at(-1)?.manifest.version }
    response.end(JSON.stringify({ name, 'dist-tags': tags, versions: Object.fromEntries(versions) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function findInstalled(modules: string): Entry[] {
  if (!existsSync(modules)) return []
  return readdirSync(modules, { withFileTypes: true }).flatMap((it): Entry[] => {
    const path = join(modules, it.name)
    if (!it.isDirectory() || it.name.startsWith('.')) return []
    if (it.name.startsWith('@')) return findInstalled(path)
    if (!existsSync(join(path, 'package.json'))) return []
    return [{ manifest: readManifest(path), path }, ...findInstalled(join(path, 'node_modules'))]
  })
}

/** Packs these packages of the repository, and those that they need. */
async function packAll(names: readonly string[], packs: string, done = new Set<string>()): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const name of names.filter((it) => it.startsWith('@portico/') && !done.has(it))) {
    done.add(name)
    const part = name.slice('@portico/'.length)
    const manifest = readManifest(join(root, 'packages', part))
    entries.push({ manifest, path: await packPackage(part, packs) })
    entries.push(...(await packAll(Object.keys(manifest.dependencies ?? {}), packs, done)))
  }
  return entries
}

/**
 * npm reads a tarball whether or not it is compressed, whatever its folder is called. It leaves links out, and a compiled
 * module is a hard link to what stands among the objects: without them it is a file.
 */
function packInto(path: string, response: NodeJS.WritableStream): void {
  const args = path.endsWith('.tgz')
    ? ['cat', path]
    : ['tar', '-cf', '-', '--exclude', 'node_modules', '--exclude', 'obj.target', '-C', dirname(path), basename(path)]
  spawn(args[0]!, args.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response)
}
