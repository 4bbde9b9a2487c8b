// `npm run bench [-- names]`: runs benchmarks and writes each result into its section of bench/RESULTS.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { runModules } from './generators.mjs'
import { root } from './run.mjs'

const file = join(root, 'bench', 'RESULTS.md')

await runModules('bench', process.argv.slice(2), async (name, module) => {
  const body = await module.run()
  console.log(body)
  const measured = `Measured by \`npm run bench -- ${name}\` on Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}.`
  writeSection(name, `## ${module.title}\n\n${body.trim()}\n\n${measured}\n`)
})

/** @param {string} name @param {string} text */
function writeSection(name, text) {
  const results = readFileSync(file, 'utf8')
  const section = new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`)
  const marked = `<!-- ${name} -->\n${text}<!-- /${name} -->`
  writeFileSync(
    file,
    section.test(results) ? results.replace(section, () => marked) : `${results.trimEnd()}\n\n${marked}\n`,
  )
}
