// `npm run lint [-- paths]`: formatting and style by Biome, what needs types (floating promises) by oxlint. Both always run.
import { runTool } from './run.mjs'

const paths = process.argv.slice(2)
const codes = [
  runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', ...paths]),
  runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...paths]),
]
process.exitCode = Math.max(...codes)
