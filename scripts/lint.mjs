// `npm run lint [-- paths]`: format and style by Biome, rules that need types by oxlint. Without paths also checks
// of the whole project: dead code by knip, the packed packages, the public surface. A failed check does not stop the others.
import { writeApiReports } from './api-reports.mjs'
import { checkPacks } from './check-packs.mjs'
import { findJudges } from './environment.mjs'
import { root, runExtraTool, runTool } from './run.mjs'

const paths = process.argv.slice(2)
const codes = [
  runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', ...paths]),
  runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...paths]),
]
if (paths.length === 0) codes.push(...(findJudges() ? await lintProject() : reportMissingTools()))
process.exitCode = Math.max(...codes)

async function lintProject() {
  return [
    runExtraTool('knip/bin/knip.js', []),
    report(await checkPacks(), 'The packages cannot go out like this.'),
    report(
      writeApiReports({ check: true }).map((file) => file.slice(root.length + 1)),
      'The public surface differs from these reports. Run `npm run api`, read the difference and commit it.',
    ),
  ]
}

/** @param {string[]} problems @param {string} message */
function report(problems, message) {
  if (problems.length === 0) return 0
  console.error(`portico: ${message}\n  ${problems.join('\n  ')}`)
  return 1
}

function reportMissingTools() {
  console.warn(
    'portico: knip, publint, are-the-types-wrong and API Extractor are left out: npm install --prefix test/tools',
  )
  return [process.env['CI'] === 'true' ? 1 : 0]
}
