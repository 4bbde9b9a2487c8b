// `npm run docs [-- names]`: renews what the docs take from the product itself: pictures of its pages and generated lists.
import { runModules } from './generators.mjs'

await runModules('scripts/docs', process.argv.slice(2), async (_name, module) => {
  for (const written of await module.run()) console.log(`portico: wrote ${written}`)
})
