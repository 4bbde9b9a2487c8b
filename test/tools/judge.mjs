// Has API descriptions judged: `node test/tools/judge.mjs <folder>` reads every JSON file in it and prints, as JSON, the
// errors that each judge finds. Warnings are matters of taste and left out.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validate as validateSchema } from '@hyperjump/json-schema/openapi-3-0'
import '@hyperjump/json-schema/openapi-3-1'
import '@hyperjump/json-schema/openapi-3-2'
import { validate as parse } from '@readme/openapi-parser'
import openapiTypescript, { astToString } from 'openapi-typescript'
import typescript from 'typescript'

const folder = process.argv[2]
const tools = dirname(fileURLToPath(import.meta.url))
const files = readdirSync(folder).filter((it) => it.endsWith('.json'))
const documents = new Map(files.map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))]))

const judges = { schema, redocly, spectral, parser, compiler }
const verdicts = {}
for (const [name, judge] of Object.entries(judges)) verdicts[name] = await judge()
console.log(JSON.stringify(verdicts))

/** The official schema of each version. */
async function schema() {
  const errors = []
  for (const [file, document] of documents) {
    const version = document.openapi.slice(0, 3)
    const uri = `https://spec.openapis.org/oas/${version}/${version === '3.0' ? 'schema' : 'schema-base'}`
    const { valid, errors: found } = await validateSchema(uri, document, 'BASIC')
    if (!valid) errors.push(`${file}: ${JSON.stringify(found?.slice(0, 5))}`)
  }
  return errors
}

/** @redocly/cli with its recommended rules. */
async function redocly() {
  const args = ['lint', '--extends=recommended', '--format=json', '--max-problems=1000']
  // It prints one report after the other.
  const reports = `[${(await run('@redocly/cli/bin/cli.js', [...args, ...files])).replaceAll(/^\}\s*\{$/gm, '},{')}]`
  return JSON.parse(reports)
    .flatMap((it) => it.problems)
    .filter((it) => it.severity === 'error')
    .map((it) => `${it.location[0]?.source.ref}: ${it.ruleId} ${it.message} ${it.location[0]?.pointer}`)
}

/** Spectral with the rules for OpenAPI. */
async function spectral() {
  const rules = join(folder, 'rules.yaml')
  writeFileSync(rules, 'extends: ["spectral:oas"]\n')
  const args = ['lint', '--ruleset', rules, '--format', 'json', '--quiet', '--fail-severity', 'error']
  const printed = await run('@stoplight/spectral-cli/dist/index.js', [...args, ...files])
  const problems = printed.trim() === '' ? [] : JSON.parse(printed)
  return problems
    .filter((it) => it.severity === 0)
    .map((it) => `${it.source}: ${it.code} ${it.message} ${it.path.join('.')}`)
}

/** @readme/openapi-parser, which knows no version after 3.1. */
async function parser() {
  const errors = []
  for (const [file, document] of documents) {
    if (document.openapi.startsWith('3.2')) continue
    const { valid, errors: found } = await parse(structuredClone(document))
    if (!valid) errors.push(`${file}: ${JSON.stringify(found)}`)
  }
  return errors
}

/** openapi-typescript, and the types that it makes through TypeScript. */
async function compiler() {
  const sources = []
  for (const [file, document] of documents) {
    const source = join(folder, `${file}.ts`)
    writeFileSync(source, astToString(await openapiTypescript(structuredClone(document))))
    sources.push(source)
  }
  const options = { strict: true, noEmit: true, skipLibCheck: false, types: [], target: typescript.ScriptTarget.ES2022 }
  const found = typescript.getPreEmitDiagnostics(typescript.createProgram(sources, options))
  return found.map((it) => `${it.file?.fileName}: ${typescript.flattenDiagnosticMessageText(it.messageText, '\n')}`)
}

/** Runs a tool in the folder of the documents, and takes what it prints, also when it finds problems. */
async function run(script, args) {
  const options = { cwd: folder, maxBuffer: 1e9, env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' } }
  const program = join(tools, 'node_modules', script)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], options).catch((error) => error)
  return stdout
}
