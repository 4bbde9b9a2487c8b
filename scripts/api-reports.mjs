// `npm run api [-- --check]`: writes what each package exports, one report per door, to packages/<name>/api. The reports
// are committed, so that a change of the public surface shows in the diff. With --check nothing is written.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPackages } from './pack.mjs'
import { root } from './run.mjs'

/** @typedef {{ folder: string, types: string, report: string }} Door */

/** The entry points of every package: `.` is index.api.md, `./adapter` is adapter.api.md. @returns {Door[]} */
export function listDoors() {
  return listPackages().flatMap((name) => {
    const folder = join(root, 'packages', name)
    const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([path, door]) =>
      door.types ? [{ folder, types: join(folder, door.types), report: `${reportName(path)}.api.md` }] : [],
    )
  })
}

/** @param {string} path */
function reportName(path) {
  return path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')
}

/**
 * Writes the reports, or only compares them. Returns those that differ or are left over.
 * @param {{ check: boolean }} options
 */
export function writeApiReports({ check }) {
  // API Extractor brings a TypeScript of its own, so it is installed apart from everything else.
  const require = createRequire(join(root, 'test', 'tools', 'package.json'))
  const { CompilerState, Extractor, ExtractorConfig } = require('@microsoft/api-extractor')
  const temporary = mkdtempSync(join(tmpdir(), 'portico-api-'))
  const doors = listDoors()
  try {
    const configs = doors.map((door) => ExtractorConfig.prepare(describeDoor(door, doors, temporary)))
    // One program serves all reports: parsing the declarations is most of the work.
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: doors.map((it) => it.types) })
    const changed = doors.filter((door, index) => {
      mkdirSync(join(door.folder, 'api'), { recursive: true })
      const options = { compilerState, localBuild: !check, showVerboseMessages: false, messageCallback: silence }
      return Extractor.invoke(configs[index], options).apiReportChanged
    })
    return [...changed.map((it) => join(it.folder, 'api', it.report)), ...removeLeftovers(doors, check)]
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** @param {Door} door @param {Door[]} doors @param {string} temporary */
function describeDoor({ folder, types, report }, doors, temporary) {
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] }
  const quiet = { default: { logLevel: 'none' } }
  return {
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: doors.map((it) => it.types) } },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: join(folder, 'api'),
        reportTempFolder: join(temporary, relative(root, folder)),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
  }
}

/** @param {{ logLevel: string, category: string }} message */
function silence(message) {
  if (message.category !== 'Compiler') message.logLevel = 'none'
}

/** Reports of doors that are gone. @param {Door[]} doors @param {boolean} check */
function removeLeftovers(doors, check) {
  const known = new Set(doors.map((it) => join(it.folder, 'api', it.report)))
  return listPackages().flatMap((name) => {
    const folder = join(root, 'packages', name, 'api')
    const files = existsSync(folder) ? readdirSync(folder).map((it) => join(folder, it)) : []
    const leftovers = files.filter((it) => !known.has(it))
    if (!check) for (const file of leftovers) rmSync(file)
    return leftovers
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const changed = writeApiReports({ check }).map((it) => relative(root, it))
  for (const file of changed) console.log(`portico: ${check ? 'differs' : 'written'}: ${file}`)
  if (check && changed.length > 0) {
    console.error('portico: the public surface has changed. Run `npm run api`, read the difference and commit it.')
    process.exitCode = 1
  }
}
