// `npm run docs [-- names]`: renews what the docs take from the product itself: pictures of its pages and generated lists.
import { findChromium } from './environment.mjs'
import { runModules } from './generators.mjs'

if (!findChromium()) {
  console.error('portico: pictures need Chromium or Chrome: install it, or set PORTICO_CHROMIUM to its path')
  process.exit(2)
}

await runModules('scripts/docs', process.argv.slice(2), async (_name, module) => {
  for (const written of await module.run()) console.log(`portico: wrote ${written}`)
})
