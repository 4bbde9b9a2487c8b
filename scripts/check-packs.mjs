// Part of `npm run lint`: packs every package and holds the tarballs against publint, are-the-types-wrong and the budgets
// in scripts/size-budgets.json.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { listPackages, packPackage } from './pack.mjs'
import { root } from './run.mjs'

const tools = join(root, 'test', 'tools', 'node_modules')

/** @typedef {{ tarballs: Record<string, number>, bundles: Record<string, number> }} Budgets */

/** Returns what is wrong, one line each. @returns {Promise<string[]>} */
export async function checkPacks() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-packs-'))
  try {
    /** @type {Budgets} */
    const budgets = JSON.parse(readFileSync(join(root, 'scripts', 'size-budgets.json'), 'utf8'))
    const problems = []
    /** @type {Budgets} */
    const sizes = { tarballs: {}, bundles: {} }
    for (const name of listPackages()) {
      const tarball = await packPackage(name, folder)
      problems.push(...judge(name, 'publint/src/cli.js', ['run', tarball, '--strict']))
      // The packages are ES modules for Node's own resolution, so only that is judged.
      problems.push(...judge(name, '@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only']))
      sizes.tarballs[`@portico/${name}`] = statSync(tarball).size
    }
    for (const door of Object.keys(budgets.bundles)) sizes.bundles[door] = await measureBundle(door)
    return [...problems, ...compareSizes(sizes, budgets)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} name @param {string} program @param {string[]} args */
function judge(name, program, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(tools, program), ...args], { encoding: 'utf8' })
  return status === 0 ? [] : [`@portico/${name}: ${program.split('/dist/')[0]?.split('/src/')[0]}\n${stdout}${stderr}`]
}

/** The bytes that a program pays for one import: bundled with our own packages, minified, compressed. @param {string} door */
async function measureBundle(door) {
  const bundle = await rolldown({
    input: fileURLToPath(import.meta.resolve(door)),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@portico/'),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return gzipSync(output[0].code).length
}

/**
 * Compares sizes in bytes with budgets in kB.
 * @param {Budgets} sizes
 * @param {Budgets} budgets
 */
export function compareSizes(sizes, budgets) {
  const kinds = /** @type {const} */ (['tarballs', 'bundles'])
  return kinds.flatMap((kind) =>
    Object.entries(sizes[kind]).flatMap(([name, bytes]) => {
      const budget = budgets[kind][name]
      const size = (bytes / 1000).toFixed(1)
      if (budget === undefined) return [`${name}: no budget in scripts/size-budgets.json; it has ${size} kB (${kind})`]
      return bytes > budget * 1000 ? [`${name}: ${size} kB is over the budget of ${budget} kB (${kind})`] : []
    }),
  )
}
