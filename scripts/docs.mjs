// `npm run docs [-- names]`: regenerates the screenshots and reference pages in docs/.
import { findChromium } from './environment.mjs'
import { runModules } from './generators.mjs'

if (!findChromium()) {
  console.error('portico: screenshots need Chromium or Chrome: install it, or set PORTICO_CHROMIUM to its path')
  process.exit(2)
}

await runModules('scripts/docs', process.argv.slice(2), async (_name, module) => {
  for (const written of await module.run()) console.log(`portico: wrote ${written}`)
})
