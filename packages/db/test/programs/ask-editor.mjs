// Prints what an editor shows at a position, as JSON: the names that it completes and the text of a hover. Usage:
// `node ask-editor.mjs <folder of TypeScript 5> <file> <offset>`. TypeScript 7 has no JavaScript API for this.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const [typescript = '', file = '', offset = ''] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(typescript)
const folder = dirname(file)
const config = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile).config
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (/** @type {string} */ name) => {
    const text = ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => folder,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
})
const completed = service.getCompletionsAtPosition(file, Number(offset), undefined)?.entries ?? []
const hover = service.getQuickInfoAtPosition(file, Number(offset))
console.log(
  JSON.stringify({
    completed: completed.map((/** @type {{ name: string }} */ it) => it.name).sort(),
    hover: ts.displayPartsToString(hover?.displayParts).replaceAll(/\s+/g, ' '),
  }),
)
